//! `.xctestrun`: what xcodebuild has built, and how its tests are to be run.

use plist::{Dictionary, Value};

/// How the tests are to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prepared<'a> {
    /// The test bundles that run; the others are taken out.
    pub targets: &'a [&'a str],
    /// Set in the app's and the tests' environment.
    pub env: &'a [(&'a str, &'a str)],
    /// Run these tests alone; none: all.
    pub only: &'a [String],
}

/// Changes `file` so: attachments are kept whatever happens (the default deletes them on success), the environment is
/// set, some tests are chosen. Both forms are known: one dictionary a target at the top (version 1), and
/// `TestConfigurations` (version 2).
///
/// Returns how many targets are left.
pub fn prepare(file: &mut Value, how: &Prepared<'_>) -> usize {
    let Some(top) = file.as_dictionary_mut() else { return 0 };
    if let Some(configurations) = top.get_mut("TestConfigurations").and_then(Value::as_array_mut) {
        let mut left = 0;
        for configuration in configurations.iter_mut().filter_map(Value::as_dictionary_mut) {
            let Some(targets) = configuration.get_mut("TestTargets").and_then(Value::as_array_mut) else {
                continue;
            };
            let name = |target: &Value| {
                let name = target.as_dictionary().and_then(|target| target.get("BlueprintName"));
                name.and_then(Value::as_string).unwrap_or_default().to_owned()
            };
            targets.retain(|target| how.targets.contains(&name(target).as_str()));
            targets.iter_mut().filter_map(Value::as_dictionary_mut).for_each(|target| change(target, how));
            left += targets.len();
        }
        return left;
    }
    let others: Vec<String> = top
        .keys()
        .filter(|key| !key.starts_with("__") && !how.targets.contains(&key.as_str()))
        .cloned()
        .collect();
    for key in others {
        top.remove(&key);
    }
    let targets = top.iter_mut().filter(|(key, _)| !key.starts_with("__"));
    targets.filter_map(|(_, target)| target.as_dictionary_mut()).map(|target| change(target, how)).count()
}

fn change(target: &mut Dictionary, how: &Prepared<'_>) {
    target.insert("UserAttachmentLifetime".to_owned(), "keepAlways".into());
    for key in ["EnvironmentVariables", "TestingEnvironmentVariables"] {
        let mut env = target.get(key).and_then(Value::as_dictionary).cloned().unwrap_or_default();
        env.extend(how.env.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))));
        target.insert(key.to_owned(), env.into());
    }
    if !how.only.is_empty() {
        let only = how.only.iter().map(|test| Value::from(test.as_str())).collect();
        target.insert("OnlyTestIdentifiers".to_owned(), Value::Array(only));
    }
}
