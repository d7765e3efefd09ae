// swift-tools-version:5.3
import PackageDescription

let package = Package(
    name: "Try",
    dependencies: [.package(name: "TreeSitterPtx", path: "../tree-sitter-ptx")],
    targets: [
        .systemLibrary(name: "CTreeSitter"),
        .target(name: "Try", dependencies: ["CTreeSitter", "TreeSitterPtx"]),
    ]
)
