//! The Xcode project, read as Xcode would: every reference resolves, every file is there, the settings are those that
//! the rest of the program counts on.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use device::flow::apps;
use device::said::{MEMORY_ENTITLEMENTS, missing_entitlements};
use plist::{Dictionary, Value};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ios-runner/Xcode")
}

fn text(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

struct Project {
    top: Dictionary,
    objects: Dictionary,
}

impl Project {
    fn read() -> Self {
        let file = root().join("Conformance.xcodeproj/project.pbxproj");
        let top = Value::from_file(file).unwrap().into_dictionary().unwrap();
        let objects = top.get("objects").unwrap().as_dictionary().unwrap().clone();
        Self { top, objects }
    }

    fn of<'a>(&'a self, isa: &'a str) -> impl Iterator<Item = (&'a String, &'a Dictionary)> + 'a {
        let objects = self.objects.iter().filter_map(|(id, object)| Some((id, object.as_dictionary()?)));
        objects.filter(move |(_, object)| get(object, "isa") == isa)
    }

    fn object(&self, id: &str) -> &Dictionary {
        self.objects.get(id).and_then(Value::as_dictionary).unwrap_or_else(|| panic!("no object {id}"))
    }

    fn settings(&self, target: &Dictionary) -> Dictionary {
        let list = self.object(get(target, "buildConfigurationList"));
        let configuration =
            list.get("buildConfigurations").unwrap().as_array().unwrap()[0].as_string().unwrap();
        self.object(configuration).get("buildSettings").unwrap().as_dictionary().unwrap().clone()
    }

    fn targets(&self) -> BTreeMap<String, (String, Dictionary)> {
        self.of("PBXNativeTarget")
            .map(|(id, target)| (get(target, "name").to_owned(), (id.clone(), target.clone())))
            .collect()
    }
}

fn get<'a>(object: &'a Dictionary, key: &str) -> &'a str {
    object.get(key).and_then(Value::as_string).unwrap_or_default()
}

/// Every string in a value.
fn strings<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(values) => values.iter().for_each(|value| strings(value, found)),
        Value::Dictionary(values) => values.iter().for_each(|(key, value)| {
            found.push(key);
            strings(value, found);
        }),
        _ => {}
    }
}

fn is_id(text: &str) -> bool {
    text.len() == 24 && text.starts_with("C0F0") && text.chars().all(|c| c.is_ascii_hexdigit())
}

/// A number, which may or may not be quoted.
fn number(object: &Dictionary, key: &str) -> Option<i64> {
    let value = object.get(key)?;
    value.as_signed_integer().or_else(|| value.as_string()?.parse().ok())
}

#[test]
fn the_format_is_the_pinned_one() {
    let project = Project::read();
    assert_eq!(number(&project.top, "objectVersion"), Some(77));
    let (_, object) = project.of("PBXProject").next().unwrap();
    assert_eq!(number(object, "preferredProjectObjectVersion"), Some(77));
}

#[test]
fn every_reference_resolves_and_every_object_is_defined_once_and_used() {
    let project = Project::read();
    let mut used: Vec<&str> = Vec::new();
    project.objects.iter().for_each(|(_, object)| strings(object, &mut used));
    used.push(get(&project.top, "rootObject"));
    for id in used.iter().filter(|text| is_id(text)) {
        assert!(project.objects.contains_key(id), "{id} is used and not there");
    }
    let source = text("Conformance.xcodeproj/project.pbxproj");
    for id in project.objects.keys() {
        assert!(is_id(id), "{id} is no id");
        assert!(used.contains(&id.as_str()), "{id} is not used");
        // plist keeps the last of two: only the source shows both.
        let defined = source
            .lines()
            .filter(|line| line.starts_with(&format!("\t\t{id} ")) && line.contains("= {"))
            .count();
        assert_eq!(defined, 1, "{id} is defined {defined} times");
    }
}

#[test]
fn every_file_and_folder_is_there() {
    let project = Project::read();
    let files = project.of("PBXFileReference").filter(|(_, file)| get(file, "sourceTree") == "<group>");
    for (_, file) in files.chain(project.of("PBXFileSystemSynchronizedRootGroup")) {
        assert!(root().join(get(file, "path")).exists(), "{} is not there", get(file, "path"));
    }
    let (_, package) = project.of("XCLocalSwiftPackageReference").next().unwrap();
    let manifest =
        fs::read_to_string(root().join(get(package, "relativePath")).join("Package.swift")).unwrap();
    for (_, product) in project.of("XCSwiftPackageProductDependency") {
        let name = get(product, "productName");
        assert!(manifest.contains(&format!("name: \"{name}\", targets:")), "no product {name}");
    }
}

#[test]
fn two_apps_differ_in_bundle_id_and_entitlements_alone() {
    let project = Project::read();
    let targets = project.targets();
    for app in apps() {
        let (_, target) = &targets[app.name];
        let settings = project.settings(target);
        assert_eq!(
            get(&settings, "PRODUCT_BUNDLE_IDENTIFIER"),
            format!("$(CONFORMANCE_PREFIX).{}", app.suffix)
        );
        assert_eq!(get(&settings, "PRODUCT_MODULE_NAME"), "ConformanceHost");
        // Simulators know no such entitlements, and signing for one would fail.
        assert!(settings.get("CODE_SIGN_ENTITLEMENTS").is_none());
        let entitled = get(&settings, "CODE_SIGN_ENTITLEMENTS[sdk=iphoneos*]");
        assert_eq!(!entitled.is_empty(), app.entitled, "{}", app.name);
        let tests = project.settings(&targets[app.tests].1);
        assert!(get(&tests, "TEST_HOST").contains(&format!("/{}.app/", app.name)));
        assert_eq!(get(&tests, "BUNDLE_LOADER"), "$(TEST_HOST)");
    }
    assert_eq!(get(&project.settings(&targets["ConformanceUITests"].1), "TEST_TARGET_NAME"), "Conformance");
    let file = fs::read(root().join("Config/Conformance.entitlements")).unwrap();
    assert_eq!(missing_entitlements(&file), Vec::<&str>::new());
    let keys = Value::from_reader_xml(file.as_slice()).unwrap().into_dictionary().unwrap();
    assert_eq!(keys.keys().map(String::as_str).collect::<Vec<_>>(), MEMORY_ENTITLEMENTS);
}

#[test]
fn the_deployment_target_is_the_slices() {
    let project = Project::read();
    let (_, object) = project.of("PBXProject").next().unwrap();
    let settings = project.settings(object);
    let target = get(&settings, "IPHONEOS_DEPLOYMENT_TARGET");
    for slice in device::argv::slices() {
        let argv = device::argv::build_slice(&slice, "x");
        for key in ["CMAKE_OSX_DEPLOYMENT_TARGET", "IPHONEOS_DEPLOYMENT_TARGET"] {
            assert!(argv.env.contains(&(key.to_owned(), target.to_owned())), "{key} of {}", slice.name);
        }
    }
    let manifest = fs::read_to_string(root().join("../Package.swift")).unwrap();
    assert!(manifest.contains(&format!(".iOS(.v{})", target.trim_end_matches(".0"))));
    // A crash of the app's debug library would hide the app's own symbols from its tests.
    assert_eq!((get(&settings, "ENABLE_TESTABILITY"), get(&settings, "ENABLE_DEBUG_DYLIB")), ("YES", "NO"));
}

#[test]
fn the_test_plan_and_the_scheme_name_the_targets() {
    let project = Project::read();
    let targets = project.targets();
    let plan: serde_json::Value = serde_json::from_str(&text("Conformance.xctestplan")).unwrap();
    assert_eq!(plan["version"], 1);
    let listed = plan["testTargets"].as_array().unwrap();
    for entry in listed {
        let name = entry["target"]["name"].as_str().unwrap();
        assert_eq!(entry["target"]["identifier"], targets[name].0.as_str(), "{name}");
        assert_eq!(entry["target"]["containerPath"], "container:Conformance.xcodeproj");
    }
    assert_eq!(
        listed.len(),
        targets.values().filter(|(_, t)| !get(t, "productType").ends_with("application")).count()
    );
    let scheme = text("Conformance.xcodeproj/xcshareddata/xcschemes/Conformance.xcscheme");
    for (name, (id, _)) in &targets {
        let place =
            scheme.find(&format!("BlueprintIdentifier = \"{id}\"")).unwrap_or_else(|| panic!("no {name}"));
        assert!(
            scheme[place..].starts_with(&format!("BlueprintIdentifier = \"{id}\""))
                && scheme.contains(&format!("BlueprintName = \"{name}\""))
        );
    }
    assert!(scheme.contains("container:Conformance.xctestplan"));
}

#[test]
fn the_glue_stays_glue() {
    for folder in ["App", "Tests", "UITests"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let generated = path.ends_with("Tests/Cases.swift");
            let lines = fs::read_to_string(&path).unwrap().lines().count();
            assert!(
                generated || lines < 100,
                "{}: {lines} lines; move logic into ConformanceCore",
                path.display()
            );
        }
    }
}
