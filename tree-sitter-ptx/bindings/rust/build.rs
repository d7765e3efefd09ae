fn main() {
    let parser = "src/parser.c";
    cc::Build::new()
        .std("c11")
        .include("src")
        .warnings(false)
        .file(parser)
        .compile("tree-sitter-ptx");
    println!("cargo:rerun-if-changed={parser}");
}
