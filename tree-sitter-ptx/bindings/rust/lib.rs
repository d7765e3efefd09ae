//! The grammar of PTX, the assembly language of NVIDIA GPUs, for [tree-sitter].
//!
//! ```
//! let mut parser = tree_sitter::Parser::new();
//! parser.set_language(&tree_sitter_ptx::LANGUAGE.into()).unwrap();
//! let tree = parser.parse("add.s32 a, b, 1;", None).unwrap();
//! assert!(!tree.root_node().has_error());
//! ```
//!
//! [tree-sitter]: https://tree-sitter.github.io/tree-sitter/

use tree_sitter_language::LanguageFn;

extern "C" {
    fn tree_sitter_ptx() -> *const ();
}

/// The language: `LANGUAGE.into()` is a `tree_sitter::Language`.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_ptx) };

/// The kinds of nodes and their fields, as JSON.
pub const NODE_TYPES: &str = include_str!("../../src/node-types.json");

/// The query for highlighting.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");
/// The query for parts in other languages.
pub const INJECTIONS_QUERY: &str = include_str!("../../queries/injections.scm");
/// Scopes, definitions and references.
pub const LOCALS_QUERY: &str = include_str!("../../queries/locals.scm");
/// The symbols of a file.
pub const TAGS_QUERY: &str = include_str!("../../queries/tags.scm");
/// What can be folded.
pub const FOLDS_QUERY: &str = include_str!("../../queries/folds.scm");
/// How lines are indented.
pub const INDENTS_QUERY: &str = include_str!("../../queries/indents.scm");
/// What an editor selects at once: functions, parameters, blocks, comments.
pub const TEXTOBJECTS_QUERY: &str = include_str!("../../queries/textobjects.scm");

#[cfg(test)]
mod tests {
    #[test]
    fn every_query_compiles() {
        let language = super::LANGUAGE.into();
        for query in [
            super::HIGHLIGHTS_QUERY,
            super::INJECTIONS_QUERY,
            super::LOCALS_QUERY,
            super::TAGS_QUERY,
            super::FOLDS_QUERY,
            super::INDENTS_QUERY,
            super::TEXTOBJECTS_QUERY,
        ] {
            tree_sitter::Query::new(&language, query).unwrap();
        }
    }
}
