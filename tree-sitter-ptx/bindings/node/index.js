const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..", "..");
const prebuilt = join(root, "prebuilds", `${process.platform}-${process.arch}`, "tree-sitter-ptx.node");
const built = join(root, "build", "Release", "tree_sitter_ptx_binding.node");

module.exports = require(existsSync(prebuilt) ? prebuilt : built);
module.exports.nodeTypeInfo = require("../../src/node-types.json");

for (const name of ["highlights", "injections", "locals", "tags", "folds", "indents", "textobjects"]) {
  Object.defineProperty(module.exports, `${name.toUpperCase()}_QUERY`, {
    enumerable: true,
    get: () => readFileSync(join(root, "queries", `${name}.scm`), "utf8"),
  });
}
