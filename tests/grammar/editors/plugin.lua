-- The tables of nvim-treesitter's two branches, empty, and what a recipe puts into them.
local parsers = {}
local configs = {}
parsers.get_parser_configs = function() return configs end
package.loaded["nvim-treesitter.parsers"] = parsers
RECIPE()
pcall(vim.api.nvim_exec_autocmds, "User", { pattern = "TSUpdate" })
local ptx = assert(rawget(parsers, "ptx") or configs.ptx, "the recipe adds no parser")
local info = ptx.install_info
local folder = assert(info.path or info.url):gsub("^/path/to/ptxopt", vim.env.SRCDIR)
for _, file in ipairs(info.files or { "src/parser.c", info.queries .. "/highlights.scm" }) do
  assert(vim.fn.filereadable(folder .. "/" .. file) == 1, file)
end
io.stdout:write("found\n")
vim.cmd("qall!")
