const assert = require("node:assert");
const { test } = require("node:test");

const ptx = require(".");

test("the language is an external value, named as the grammar", () => {
  assert.strictEqual(ptx.name, "ptx");
  assert.ok(require("node:util").types.isExternal(ptx.language));
});

test("node types and queries are there", () => {
  assert.ok(ptx.nodeTypeInfo.some((one) => one.type === "source_file"));
  for (const name of Object.keys(ptx).filter((one) => one.endsWith("_QUERY"))) assert.ok(ptx[name].includes("@"), name);
});
