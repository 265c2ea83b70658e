//! The browser's dialog for opening a file. What is written needs no dialog: it becomes a download under the suggested
//! name.

use std::path::{Path, PathBuf};

use delassus_files::memory;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::{Host, Proxy};
use crate::dialog::{Answer, Pick, Purpose, Question};
use crate::window::UserEvent;

/// Asks for a file to open, or answers with the suggested name at once. `scene` is the open scene's file.
pub(crate) fn ask(purpose: Purpose, scene: Option<&Path>, _: &Host, proxy: Proxy) {
    let question = Question::of(purpose, scene);
    match question.pick {
        Pick::File => {
            if open(purpose, question.endings, &proxy).is_err() {
                answer(&proxy, purpose, None);
            }
        }
        Pick::Folder => answer(&proxy, purpose, None),
        Pick::NewFile(name) => answer(&proxy, purpose, Some(name.into())),
    }
}

fn answer(proxy: &Proxy, purpose: Purpose, path: Option<PathBuf>) {
    proxy.send(UserEvent::Dialog(Answer { purpose, path, unavailable: false }));
}

/// Shows the browser's dialog, and puts the chosen file into memory.
fn open(purpose: Purpose, endings: &[&str], proxy: &Proxy) -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
    let input: web_sys::HtmlInputElement = document.create_element("input")?.unchecked_into();
    input.set_type("file");
    input.set_accept(&endings.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(","));
    let (chosen, proxy_chosen) = (input.clone(), proxy.clone());
    let change = Closure::once_into_js(move || {
        let Some(file) = chosen.files().and_then(|files| files.get(0)) else { return };
        spawn_local(async move {
            let bytes = JsFuture::from(file.array_buffer()).await;
            let path = bytes.ok().map(|bytes| {
                let path = PathBuf::from(file.name());
                memory::put(&path, js_sys::Uint8Array::new(&bytes).to_vec());
                path
            });
            answer(&proxy_chosen, purpose, path);
        });
    });
    let proxy = proxy.clone();
    let cancel = Closure::once_into_js(move || answer(&proxy, purpose, None));
    input.add_event_listener_with_callback("change", change.unchecked_ref())?;
    input.add_event_listener_with_callback("cancel", cancel.unchecked_ref())?;
    input.click();
    Ok(())
}
