-- nvim … -c 'luafile captures.lua': what stands highlighted in the buffer, a line a captured piece; then the folds; then what
-- is injected. As it is drawn: of a place the last capture.
local parser = vim.treesitter.get_parser(0)
parser:parse(true)
local function show(...) io.stdout:write(table.concat({ ... }, "\t"), "\n") end
assert(vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()], "highlighting did not start")
local last
for row, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
  for column = 0, #line - 1 do
    local captures = vim.tbl_filter(function(one) return one.capture ~= "spell" end,
      vim.treesitter.get_captures_at_pos(0, row - 1, column))
    local top = captures[#captures]
    local name = top and top.lang .. " @" .. top.capture
    if name ~= last and name and line:sub(column + 1, column + 1) ~= " " then
      show(row .. ":" .. column + 1, name)
    end
    last = name
  end
end
for row = 1, vim.api.nvim_buf_line_count(0) do
  local level = vim.fn.foldlevel(row)
  if level > 0 then show(row, "fold " .. level) end
end
vim.cmd("qall!")
