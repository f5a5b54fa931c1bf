//! Runs the inspector's engine in a browser's Worker. A single method takes the same messages that `pspge view`
//! answers over HTTP.

use pspge::Limits;
use pspge::inspect::Inspector;
use wasm_bindgen::prelude::wasm_bindgen;

/// An inspector in a Worker.
#[wasm_bindgen]
#[derive(Debug)]
pub struct WebInspector {
    inspector: Inspector,
}

#[wasm_bindgen]
impl WebInspector {
    /// Creates an inspector without files.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self { inspector: Inspector::new(Limits::default()) }
    }

    /// Answers a message, described in `pspge::inspect::message`. Every failure is an answer, too.
    #[must_use]
    pub fn handle(&self, message: &[u8]) -> Vec<u8> {
        self.inspector.handle(message)
    }
}

impl Default for WebInspector {
    fn default() -> Self {
        Self::new()
    }
}
