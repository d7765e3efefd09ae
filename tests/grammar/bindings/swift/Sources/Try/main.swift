// With a kernel as its argument: parses it by the language of the package.
import CTreeSitter
import Foundation
import TreeSitterPtx

let language = UnsafeRawPointer(tree_sitter_ptx())
let text = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
guard parses(language, text), !parses(language, "add.s32 (") else {
    print("the language does not parse as it should")
    exit(1)
}
