-- Plays one game of any kind, badly: lua bot.lua HOST PORT GAME [TABLE]
-- Lua reads no JSON, but finds what stands between two brackets.
local host, port, game, code = table.unpack(arg)
local link = assert(require("socket").connect(host, tonumber(port)))
local function ask(word, more)
  link:send(('{"do":"%s","id":"%s"%s}\n'):format(word, word, more or ""))
end
if code then
  ask("join", (',"table":"%s"'):format(code))
else
  ask("open", (',"game":"%s","house":{"start":"asked"}'):format(game))
  for _, word in ipairs({ "join", "bot", "start" }) do ask(word) end
end
for line in function() return link:receive() end do
  local moves = {}
  for move in (line:match('"moves":(%b[])') or ""):gmatch("%b{}") do table.insert(moves, move) end
  if line:find('"error":', 1, true) and not line:find('"reply":"play"', 1, true) then
    io.stderr:write(line:match('"says":"(.-)"'), "\n")
    os.exit(1)
  end
  if #moves > 0 then ask("play", ',"move":' .. moves[math.random(#moves)]) end
  if line:find('"event":"GameOver"', 1, true) then
    print("places:", line:match('"places":%[(.-)%]'))
    os.exit(0)
  end
end
