// swift-tools-version:5.3
import PackageDescription

let package = Package(
    name: "TreeSitterPtx",
    products: [
        .library(name: "TreeSitterPtx", targets: ["TreeSitterPtx"])
    ],
    targets: [
        .target(
            name: "TreeSitterPtx",
            path: ".",
            sources: ["src/parser.c"],
            resources: [.copy("queries")],
            publicHeadersPath: "bindings/swift",
            cSettings: [.headerSearchPath("src")]
        )
    ],
    cLanguageStandard: .c11
)
