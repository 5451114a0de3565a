-- Neovim, headless, with the language server: opened by `python -m soak neovim`.
-- It opens rules with a mistake, sees the finding, completes, hovers, renames, and saves.
local folder, server = os.getenv('COLOMA_FOLDER'), vim.fn.json_decode(os.getenv('COLOMA_SERVER'))
local failed = 0

local function say(what, good)
  io.stdout:write((good and '  ' or '! ') .. what .. '\n')
  if not good then failed = failed + 1 end
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000) or {}
  for _, each in pairs(answers) do
    if each.err then return nil, each.err.message end
    return each.result
  end
end

vim.cmd('edit ' .. folder .. '/game.rules')
local id = vim.lsp.start_client({ name = 'coloma', cmd = server, root_dir = folder })
vim.lsp.buf_attach_client(0, id)
vim.wait(60000, function() return vim.lsp.get_client_by_id(id).initialized end, 50)
say('opened ' .. vim.fn.expand('%:t'), vim.lsp.get_client_by_id(id).initialized)

local function place(words, offset)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local at = line:find(words, 1, true)
    if at then
      vim.api.nvim_win_set_cursor(0, { number, at - 1 + offset })
      return vim.lsp.util.make_position_params(0, 'utf-16')
    end
  end
  say('no line says ' .. words, false)
end

vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
local found = vim.diagnostic.get(0)[1] or { message = 'nothing' }
say('finding: ' .. found.message:gsub('\n', ' / '), found.message:find('purze') ~= nil)

vim.api.nvim_buf_set_lines(0, found.lnum, found.lnum + 1, false,
  { (vim.api.nvim_buf_get_lines(0, found.lnum, found.lnum + 1, false)[1]:gsub('purze', 'purs')) })
local params = place('into my purs', 12)
params.context = { triggerKind = 1 }
local offered = ask('textDocument/completion', params) or { items = {} }
local first = offered.items[1] or { label = 'nothing' }
say('completion behind `into my purs`: ' .. first.label, first.label == 'purse')
if first.textEdit then vim.lsp.util.apply_text_edits({ first.textEdit }, 0, 'utf-16') end
vim.wait(60000, function() return #vim.diagnostic.get(0) == 0 end, 50)
say('findings left: ' .. #vim.diagnostic.get(0), #vim.diagnostic.get(0) == 0)

local told = ask('textDocument/hover', place('draw-one: move', 2)) or { contents = { value = '' } }
say('hover on `draw-one`: ' .. vim.split(told.contents.value, '\n')[3],
  told.contents.value:find('Takes the top card', 1, true) ~= nil)

params = place('verb dust', 6)
params.newName = 'sweep'
local edit, refused = ask('textDocument/rename', params)
say('rename `dust` to `sweep`: ' .. (refused or vim.tbl_count(edit.changes) .. ' files'), edit ~= nil)
if edit then vim.lsp.util.apply_workspace_edit(edit, 'utf-16') end
vim.cmd('silent wall')
local table_text = table.concat(vim.fn.readfile(folder .. '/cards.toml'), '\n')
say('saved: cards.toml says `power = "sweep"`', table_text:find('power = "sweep"', 1, true) ~= nil)
say('saved: game.rules says `into my purse`',
  table.concat(vim.fn.readfile(folder .. '/game.rules'), '\n'):find('bank into my purse', 1, true) ~= nil)

vim.lsp.stop_client(id)
vim.wait(10000, function() return vim.lsp.get_client_by_id(id) == nil end, 50)
say('the server has ended', vim.lsp.get_client_by_id(id) == nil)
vim.cmd(failed == 0 and 'qall!' or 'cquit!')
