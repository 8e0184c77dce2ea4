//! What a person does with a page, and what it shows.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::{Browser, BrowserError};

/// How long a page may take to become what is waited for, in milliseconds. Nothing is measured by it.
const PATIENCE: u32 = 30_000;

impl Browser {
    /// Opens a file at `place`, which begins with `#` or is empty.
    ///
    /// # Errors
    /// When the browser does not open it.
    pub fn open(&mut self, file: &Path, place: &str) -> Result<(), BrowserError> {
        self.call("Page.navigate", json!({"url": "about:blank"}))?;
        self.wait_for("Page.loadEventFired")?;
        self.call("Page.navigate", json!({"url": format!("file://{}{place}", file.display())}))?;
        self.wait_for("Page.loadEventFired")
    }

    /// What `script`, an expression, is worth in the page.
    ///
    /// # Errors
    /// When it throws.
    pub fn value(&mut self, script: &str) -> Result<Value, BrowserError> {
        let params = json!({"expression": script, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.call("Runtime.evaluate", params)?;
        if let Some(thrown) = answer.get("exceptionDetails") {
            return Err(BrowserError::Script { script: script.to_owned(), reason: thrown.to_string() });
        }
        Ok(answer["result"]["value"].take())
    }

    /// Waits until `condition`, an expression, holds in the page.
    ///
    /// # Errors
    /// When it never does.
    pub fn until(&mut self, condition: &str) -> Result<(), BrowserError> {
        let script = format!(
            "new Promise((done, fail) => {{ const end = Date.now() + {PATIENCE}; const look = () => ({condition}) ? \
             done(true) : Date.now() > end ? fail(\"it never came true\") : setTimeout(look, 5); look(); }})"
        );
        self.value(&script).map(drop)
    }

    /// Clicks the middle of the first element that `selector` finds.
    ///
    /// # Errors
    /// When there is none.
    pub fn click(&mut self, selector: &str) -> Result<(), BrowserError> {
        let place = self.value(&format!(
            "(() => {{ const e = document.querySelector({}); e.scrollIntoView({{block: \"center\"}}); \
             const r = e.getClientRects()[0]; return {{x: r.x + r.width / 2, y: r.y + r.height / 2}}; }})()",
            json!(selector)
        ))?;
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({"type": kind, "x": place["x"], "y": place["y"], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event)?;
        }
        Ok(())
    }

    /// Presses and releases a key, by its name.
    ///
    /// # Errors
    /// When the browser is gone.
    pub fn key(&mut self, name: &str) -> Result<(), BrowserError> {
        let code = match name {
            "Enter" => 13,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let text = match name {
            "Enter" => "\r",
            name if name.len() == 1 => name,
            _ => "",
        };
        let event = json!({"type": "keyDown", "key": name, "code": name, "windowsVirtualKeyCode": code, "text": text});
        self.call("Input.dispatchKeyEvent", event)?;
        self.call(
            "Input.dispatchKeyEvent",
            json!({"type": "keyUp", "key": name, "code": name, "windowsVirtualKeyCode": code}),
        )?;
        Ok(())
    }

    /// Types `text` where the focus is.
    ///
    /// # Errors
    /// When the browser is gone.
    pub fn type_text(&mut self, text: &str) -> Result<(), BrowserError> {
        self.call("Input.insertText", json!({"text": text})).map(drop)
    }

    /// Makes the window `width` × `height` pixels; light, or `dark`.
    ///
    /// # Errors
    /// When the browser is gone.
    pub fn look(&mut self, width: u32, height: u32, dark: bool) -> Result<(), BrowserError> {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", size)?;
        let scheme = if dark { "dark" } else { "light" };
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", features).map(drop)
    }

    /// A picture of what the window shows, as PNG.
    ///
    /// # Errors
    /// When none is made.
    pub fn picture(&mut self) -> Result<Vec<u8>, BrowserError> {
        let answer = self.call("Page.captureScreenshot", json!({"format": "png"}))?;
        let data = answer["data"].as_str().unwrap_or_default();
        STANDARD.decode(data).map_err(|error| std::io::Error::other(error).into())
    }

    /// What the page was not allowed to do, and what its scripts did not expect.
    pub fn complaints(&self) -> Vec<String> {
        let thrown = self.told("Runtime.exceptionThrown").into_iter().map(Value::to_string);
        thrown.chain(self.told("Log.entryAdded").into_iter().map(|told| told["entry"].to_string())).collect()
    }

    /// Every address that was fetched.
    pub fn fetched(&self) -> Vec<String> {
        let told = self.told("Network.requestWillBeSent").into_iter();
        told.filter_map(|told| told["request"]["url"].as_str()).map(str::to_owned).collect()
    }
}
