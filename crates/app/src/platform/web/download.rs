//! The files that the program writes: settings go to the browser's local storage, all others are offered as downloads.

use std::path::Path;

use delassus_files::memory;
use wasm_bindgen::{JsCast, JsValue};

use super::SETTINGS;

/// The name of the settings file, in the program's in-memory folder and in the browser's storage.
const WINDOW: &str = "window.ron";

fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

fn key() -> String {
    format!("delassus/{WINDOW}")
}

/// Copies the settings from the browser's storage to the in-memory file that the program reads.
pub(super) fn restore_settings() {
    if let Some(text) = storage().and_then(|storage| storage.get_item(&key()).ok()?) {
        memory::put(&Path::new(SETTINGS).join(WINDOW), text.into_bytes());
    }
}

/// Hands the files that were written since the last call to the browser.
pub(super) fn hand_over() {
    for (path, bytes) in memory::take_written() {
        if path.starts_with(SETTINGS) {
            if let (Some(storage), Ok(text)) = (storage(), std::str::from_utf8(&bytes)) {
                // A browser may refuse to store anything; the settings then last only for this visit.
                let _ = storage.set_item(&key(), text);
            }
        } else {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // The browser itself tells the user whether the download worked.
            let _ = offer(&name, &bytes);
        }
    }
}

/// Offers a file as a download.
fn offer(name: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let blob = web_sys::Blob::new_with_u8_array_sequence(&parts)?;
    let url = web_sys::Url::create_object_url_with_blob(&blob)?;
    let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
    let link: web_sys::HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    web_sys::Url::revoke_object_url(&url)
}
