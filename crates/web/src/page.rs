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
            Err(error) => {
                if let Some(mark) = document.get_element_by_id("loading") {
                    let why = error.as_string().unwrap_or_else(|| format!("{error:?}"));
                    mark.set_text_content(Some(&format!(
                        "Delassus needs WebGPU or WebGL2, and this browser offers neither. It says: {why}"
                    )));
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

async fn show(document: &Document) -> Result<(), JsValue> {
    let canvas = document.get_element_by_id("delassus").ok_or("the page has no canvas")?;
    let canvas: HtmlCanvasElement = canvas.dyn_into().map_err(|_| "the page has no canvas")?;
    let search = web_sys::window().and_then(|window| window.location().search().ok()).unwrap_or_default();
    let query = UrlSearchParams::new_with_str(&search)?;
    let is_on = |name: &str| query.get(name).is_some_and(|value| value != "0");
    let look = Look { embedded: is_on("embed"), webgl: is_on("webgl") };
    let start = Start { options: options(&query)?, lesson: None };
    delassus_app::run(canvas, start, look).await
}

/// What the address asks for.
fn options(query: &UrlSearchParams) -> Result<LaunchOptions, JsValue> {
    let Some(scene) = query.get("scene") else { return Ok(LaunchOptions::default()) };
    let mut words = vec![scene];
    words.extend(query.get("experiment").map(|name| format!("--experiment={name}")));
    words.extend(query.get_all("set").iter().filter_map(|change| Some(format!("--set={}", change.as_string()?))));
    line::of_words(words).map_err(|why| JsValue::from_str(&why))
}
