//! Every command line, as one would type it.

use device::argv::{
    Argv, TestRun, app_container, build_for_testing, build_slice, copy_from, copy_to, entitlements,
    export_attachments, install, install_in_simulator, list_devices, profile, slices, summary,
    test_without_building, xcframework,
};

#[test]
fn the_command_lines() {
    let run = TestRun { xctestrun: "t.xctestrun", udid: "U", results: "r.xcresult", minutes: 60 };
    let libraries = ["a/libbridge.a".to_owned(), "b/libbridge.a".to_owned()];
    let slices = slices();
    let lines: [(Argv, &str); 17] = [
        (list_devices("j"), "xcrun devicectl list devices --json-output j"),
        (install("U", "A.app", "j"), "xcrun devicectl device install app --device U A.app --json-output j"),
        (
            copy_to("U", "b", "m.gguf", "Documents/m.gguf", "j"),
            "xcrun devicectl device copy to --device U --domain-type appDataContainer --domain-identifier b --source \
             m.gguf --destination Documents/m.gguf --json-output j",
        ),
        (
            copy_from("U", "b", "Documents/a", "out dir", "j"),
            "xcrun devicectl device copy from --device U --domain-type appDataContainer --domain-identifier b --source \
             Documents/a --destination 'out dir' --json-output j",
        ),
        (install_in_simulator("U", "A.app"), "xcrun simctl install U A.app"),
        (app_container("U", "b"), "xcrun simctl get_app_container U b data"),
        (summary("r"), "xcrun xcresulttool get test-results summary --path r"),
        (export_attachments("r", "d"), "xcrun xcresulttool export attachments --path r --output-path d"),
        (entitlements("A.app"), "codesign -d --entitlements - --xml A.app"),
        (profile("A.app"), "security cms -D -i A.app/embedded.mobileprovision"),
        (
            build_for_testing(false, Some("TEAM"), Some("org.me"), "d"),
            "xcodebuild build-for-testing -project ios-runner/Xcode/Conformance.xcodeproj -scheme Conformance -testPlan \
             Conformance -destination generic/platform=iOS -derivedDataPath d -allowProvisioningUpdates \
             DEVELOPMENT_TEAM=TEAM CONFORMANCE_PREFIX=org.me",
        ),
        (
            build_for_testing(true, None, None, "d"),
            "xcodebuild build-for-testing -project ios-runner/Xcode/Conformance.xcodeproj -scheme Conformance -testPlan \
             Conformance -destination 'generic/platform=iOS Simulator' -derivedDataPath d",
        ),
        (
            test_without_building(&run),
            "xcodebuild test-without-building -xctestrun t.xctestrun -destination id=U -resultBundlePath r.xcresult",
        ),
        (
            xcframework(&libraries, "h", "o.xcframework"),
            "xcodebuild -create-xcframework -library a/libbridge.a -headers h -library b/libbridge.a -headers h -output \
             o.xcframework",
        ),
        (
            build_slice(&slices[0], "s"),
            "CMAKE_OSX_ARCHITECTURES=arm64 CMAKE_OSX_DEPLOYMENT_TARGET=17.0 IPHONEOS_DEPLOYMENT_TARGET=17.0 GGML_METAL=ON \
             LLAMA_LIB_PROFILE=Release cargo build --release --package bridge --features metal --target aarch64-apple-ios \
             --target-dir s",
        ),
        (
            build_slice(&slices[1], "s"),
            "CMAKE_OSX_ARCHITECTURES=arm64 CMAKE_OSX_DEPLOYMENT_TARGET=17.0 IPHONEOS_DEPLOYMENT_TARGET=17.0 \
             GGML_METAL=OFF LLAMA_LIB_PROFILE=Release CMAKE_OSX_SYSROOT=iphonesimulator cargo build --release --package \
             bridge --features llama --target aarch64-apple-ios-sim --target-dir s",
        ),
        (
            build_slice(&slices[2], "s"),
            "CMAKE_OSX_ARCHITECTURES=arm64 CMAKE_OSX_DEPLOYMENT_TARGET=17.0 IPHONEOS_DEPLOYMENT_TARGET=17.0 GGML_METAL=ON \
             LLAMA_LIB_PROFILE=Release CMAKE_OSX_SYSROOT=iphonesimulator cargo build --release --package bridge \
             --features metal --target aarch64-apple-ios-sim --target-dir s",
        ),
    ];
    for (argv, line) in &lines {
        assert_eq!(argv.to_string(), *line);
        assert!(argv.limit.as_secs() >= 60, "{line} has no time");
    }
}
