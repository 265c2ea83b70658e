//! What the page does when it is loaded.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Document, HtmlCanvasElement, UrlSearchParams};

use delassus_app::{Look, Start};
use delassus_files::built_in;
use delassus_launch::{LaunchOptions, line};

/// Shows the program on the page's canvas, or why it cannot be shown.
pub fn open() {
    built_in::install(delassus_library::FILES);
    spawn_local(async {
        let Some(document) = web_sys::window().and_then(|window| window.document()) else { return };
        match show(&document).await {
            Ok(()) => {
                if let Some(mark) = document.get_element_by_id("loading") {
                    mark.remove();
                }
                state(&document, "shown");
            }
            Err(why) => {
                if let Some(mark) = document.get_element_by_id("loading") {
                    mark.set_text_content(Some(&why));
                }
                state(&document, "failed");
            }
        }
    });
}

/// A mark for whoever waits for the page.
fn state(document: &Document, state: &str) {
    if let Some(body) = document.body() {
        // Nothing else depends on it.
        let _ = body.set_attribute("data-state", state);
    }
}

/// The error is a sentence for the page.
async fn show(document: &Document) -> Result<(), String> {
    let canvas = document.get_element_by_id("delassus").and_then(|canvas| canvas.dyn_into::<HtmlCanvasElement>().ok());
    let canvas = canvas.ok_or("The page has no canvas with the id “delassus”.")?;
    let search = web_sys::window().and_then(|window| window.location().search().ok()).unwrap_or_default();
    let query = UrlSearchParams::new_with_str(&search).map_err(|error| said(&error))?;
    let is_on = |name: &str| query.get(name).is_some_and(|value| value != "0");
    let look = Look { embedded: is_on("embed"), webgl: is_on("webgl") };
    let options = options(&query).map_err(|why| format!("The page's address asks for something unknown: {why}"))?;
    let run = delassus_app::run(canvas, Start { options, lesson: None }, look).await;
    run.map_err(|error| {
        format!("Delassus needs WebGPU or WebGL2, and this browser offers neither. It says: {}", said(&error))
    })
}

/// What an error of the browser says.
fn said(error: &JsValue) -> String {
    error.as_string().unwrap_or_else(|| format!("{error:?}"))
}

/// What the address asks for.
fn options(query: &UrlSearchParams) -> Result<LaunchOptions, String> {
    let Some(scene) = query.get("scene") else { return Ok(LaunchOptions::default()) };
    let mut words = vec![scene];
    words.extend(query.get("experiment").map(|name| format!("--experiment={name}")));
    words.extend(query.get_all("set").iter().filter_map(|change| Some(format!("--set={}", change.as_string()?))));
    line::of_words(words)
}
