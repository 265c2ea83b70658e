//! The program as a page: `scripts/web` builds it. The page's address says what it opens:
//!
//! ```text
//! ?scene=book/09-chain     a scene of the library
//! &experiment=NAME         with one of its experiments
//! &set=NAME=VALUE          with another setting, as on the command line; several times
//! &embed=1                 the view alone, without panels
//! &webgl=1                 WebGL2 even where there is WebGPU
//! ```

#[cfg(target_arch = "wasm32")]
mod page;

#[cfg(target_arch = "wasm32")]
fn main() {
    page::open();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    println!("This is the program for the browser: build it with scripts/web. For a window run `delassus`.");
}
