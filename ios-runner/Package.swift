// swift-tools-version: 5.9
import Foundation
import PackageDescription

// What needs a library that must be built first is left out where there is none, so that everybody can have
// ConformanceCore: `cargo xtask device build` makes the first on a Mac; on Linux a test says where the other lies.
let framework = "build/CConformance.xcframework"
let hasFramework = FileManager.default.fileExists(atPath: Context.packageDirectory + "/" + framework)
let library = Context.environment["CONFORMANCE_LIBRARY"]
let llama = Context.environment["CONFORMANCE_LLAMA"]

var products: [Product] = [.library(name: "ConformanceCore", targets: ["ConformanceCore"])]
var targets: [Target] = [
    .target(name: "ConformanceCore"),
    .testTarget(name: "CoreTests", dependencies: ["ConformanceCore"], path: "Tests/Core"),
]

if hasFramework || library != nil {
    products.append(.library(name: "ConformanceBridge", targets: ["ConformanceBridge"]))
    targets.append(
        hasFramework
            ? .binaryTarget(name: "CConformance", path: framework)
            : .systemLibrary(name: "CConformance", path: "bridge/include"))
    targets.append(.target(name: "ConformanceBridge", dependencies: ["ConformanceCore", "CConformance"]))
}

// The sample wrapper calls llama.cpp's C interface itself, as an app's wrapper does; here it finds it in the bridge.
if let library, let llama {
    let link: [LinkerSetting] = [.unsafeFlags(["-L", library]), .linkedLibrary("bridge"), .linkedLibrary("stdc++")]
    let headers: [SwiftSetting] = [
        .unsafeFlags(["-Xcc", "-I\(llama)/include", "-Xcc", "-I\(llama)/ggml/include"])
    ]
    targets += [
        .systemLibrary(name: "CLlama"),
        .target(name: "SampleWrapper", dependencies: ["ConformanceCore", "CLlama"], swiftSettings: headers),
        .testTarget(
            name: "BridgeTests", dependencies: ["ConformanceBridge"], path: "Tests/Bridge", linkerSettings: link),
        .testTarget(
            name: "WrapperTests", dependencies: ["SampleWrapper"], path: "Tests/Wrapper", swiftSettings: headers,
            linkerSettings: link),
    ]
}

let package = Package(
    name: "Conformance", platforms: [.iOS(.v17), .macOS(.v14)], products: products, targets: targets)
