-- What Neovim's own client makes of the server: diagnostics, hover, code actions applied to the buffer.
-- nvim --headless --clean -c 'luafile neovim.lua' -c 'cquit 1' FILE.ptx; PTXOPT is the program, OUT the folder for
-- what it saw.

local out = vim.env.OUT
local root = vim.fn.getcwd()

local function write(name, lines)
  vim.fn.writefile(lines, out .. "/" .. name, "b")
end

local function fail(what)
  write("error", { what })
  vim.cmd("cquit 1")
end

local function wait(what, condition)
  if not vim.wait(60000, condition, 5) then fail("waited in vain for " .. what) end
end

local seen = -1 -- the version of the buffer that was judged last
local client = vim.lsp.start_client({
  name = "ptxopt",
  cmd = { vim.env.PTXOPT, "lsp" },
  root_dir = root,
  init_options = { severity = "hint" },
  handlers = {
    ["textDocument/publishDiagnostics"] = function(err, result, context, config)
      seen = result.version
      vim.lsp.diagnostic.on_publish_diagnostics(err, result, context, config)
    end,
  },
})
local buffer = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(buffer, client)

local function diagnostics()
  wait("the diagnostics", function() return seen == vim.lsp.util.buf_versions[buffer] end)
  local lines = {}
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    lines[#lines + 1] = string.format("%d:%d-%d:%d %d %s", one.lnum + 1, one.col + 1, one.end_lnum + 1, one.end_col + 1,
      one.severity, one.code or one.user_data.lsp.code)
  end
  table.sort(lines)
  return lines
end

local function ask(method, line, column, more)
  local params = { textDocument = { uri = vim.uri_from_bufnr(buffer) } }
  local position = { line = line, character = column }
  if more then
    params.range = { start = position, ["end"] = position }
    params.context = more
  else
    params.position = position
  end
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000)
  return answers and answers[client] and answers[client].result
end

write("diagnostics", diagnostics())
local first = vim.diagnostic.get(buffer)[1]
local hover = ask("textDocument/hover", first.lnum, first.col)
write("hover", vim.lsp.util.convert_input_to_markdown_lines(hover.contents))

local function apply(kind, line, column)
  for _, action in ipairs(ask("textDocument/codeAction", line, column, { diagnostics = {}, only = { kind } })) do
    vim.lsp.util.apply_workspace_edit(action.edit, vim.lsp.get_client_by_id(client).offset_encoding or "utf-16")
    vim.cmd("silent write! " .. out .. "/" .. kind .. ".ptx")
    return
  end
  fail("there is no action of kind " .. kind)
end

write("id", { first.user_data.lsp.data.id })
apply("quickfix", first.lnum, first.col)
vim.cmd("silent undo")
apply("source.fixAll", 0, 0)
write("left", diagnostics())
vim.lsp.stop_client(client)
wait("its end", function() return vim.lsp.client_is_stopped(client) end)
vim.cmd("qall!")
