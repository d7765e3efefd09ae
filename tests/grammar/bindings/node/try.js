// node try.js parse.node KERNEL: run it in a folder whose node_modules has tree-sitter-ptx.
const { readFileSync } = require("node:fs");
const { resolve } = require("node:path");

const { parse } = require(resolve(process.argv[2]));
const ptx = require(require.resolve("tree-sitter-ptx", { paths: [process.cwd()] }));
if (!parse(ptx, readFileSync(process.argv[3], "utf8"))) throw new Error("the kernel does not parse");
if (parse(ptx, "add.s32 (")) throw new Error("what is wrong parses");
