//! A running browser with one page.

use std::process::Child;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::wire::Wire;
use crate::{BrowserError, find};

/// A browser. Dropping it ends it.
pub struct Browser {
    child: Child,
    wire: Wire,
    session: Option<String>,
    sent: u64,
    /// Events that nobody has asked for yet.
    events: Vec<Value>,
    _folder: TempDir,
}

impl Browser {
    /// Starts one.
    ///
    /// # Errors
    /// When there is none, or it does not start.
    pub fn start() -> Result<Self, BrowserError> {
        let program = find().ok_or(BrowserError::Missing)?;
        let folder = tempfile::tempdir()?;
        let (child, wire) = Wire::start(&program, folder.path())?;
        let mut browser = Self { child, wire, session: None, sent: 0, events: Vec::new(), _folder: folder };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}))?;
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", attach)?;
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}))?;
        }
        Ok(browser)
    }

    /// Asks for `method` of the protocol and waits for the answer.
    ///
    /// # Errors
    /// When the browser refuses or is gone.
    #[expect(clippy::needless_pass_by_value, reason = "it is always made for the call")]
    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, BrowserError> {
        self.sent += 1;
        let mut message = json!({"id": self.sent, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.wire.send(&message)?;
        loop {
            let mut message = self.wire.receive()?;
            if message["id"] != self.sent {
                self.events.push(message);
            } else if let Some(error) = message.get("error") {
                let reason = error["message"].as_str().unwrap_or_default().to_owned();
                return Err(BrowserError::Refused { method: method.to_owned(), reason });
            } else {
                return Ok(message["result"].take());
            }
        }
    }

    /// Waits for an event that has not been waited for yet.
    ///
    /// # Errors
    /// When the browser is gone.
    pub(crate) fn wait_for(&mut self, event: &str) -> Result<(), BrowserError> {
        loop {
            if let Some(at) = self.events.iter().position(|message| message["method"] == event) {
                self.events.remove(at);
                return Ok(());
            }
            let message = self.wire.receive()?;
            self.events.push(message);
        }
    }

    /// What `method` told so far.
    pub(crate) fn told(&self, method: &str) -> Vec<&Value> {
        let of_method = self.events.iter().filter(|message| message["method"] == method);
        of_method.map(|message| &message["params"]).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        // Its own way out ends its helpers too; where it doesn't take it, it is ended.
        if self.call("Browser.close", json!({})).is_err() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}
