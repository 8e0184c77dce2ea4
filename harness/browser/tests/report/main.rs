//! The HTML report in a browser: what a person does with it, what a hostile model can't, and how it takes ten thousand
//! results. `PICTURES=FOLDER` keeps what the window showed, for people to look at.

mod hostile;
mod large;
mod looks;
mod sample;
mod use_it;
