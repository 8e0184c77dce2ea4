//! What a hub's refusals mean, and what to do about them.

use hf_hub::api::sync::ApiError;
use judge::models::HubFile;

use crate::exit::Exit;

/// The error as a person needs it: an answer that is no is about the reference (exit 3); everything else is about
/// the way to the server (exit 4).
pub(super) fn explain(error: ApiError, file: &HubFile) -> anyhow::Error {
    match error {
        ApiError::RequestError(error) => match *error {
            ureq::Error::StatusCode(status) => refused(status, file),
            error => unreachable(&error.to_string()),
        },
        ApiError::IoError(error) => interrupted(&error, file),
        other => Exit::Missing.error(format!(
            "the server does not answer as a Hugging Face hub does: {other}; does HF_ENDPOINT name one?"
        )),
    }
}

fn refused(status: u16, file: &HubFile) -> anyhow::Error {
    let (repo, revision) = (file.repo(), file.revision());
    match status {
        401 | 403 => Exit::Input.error(format!(
            "{repo} is not there or not open to everyone (status {status}); look for it on the hub, accept its \
             licence there and set HF_TOKEN to a token of yours"
        )),
        404 => Exit::Input.error(format!(
            "there is no {} in {repo} at {revision}; the repository's page lists its files",
            file.file()
        )),
        _ => Exit::Missing.error(format!("the hub answers with status {status}; try again later")),
    }
}

fn unreachable(error: &str) -> anyhow::Error {
    Exit::Missing.error(format!(
        "cannot reach the hub: {error}; is the network up? HF_ENDPOINT names another hub, HTTPS_PROXY a proxy"
    ))
}

fn interrupted(error: &std::io::Error, file: &HubFile) -> anyhow::Error {
    Exit::Missing.error(format!(
        "the download of {file} stopped: {error}; what has come is kept: fetch it again to go on from there"
    ))
}
