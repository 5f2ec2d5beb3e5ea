# Plays one game of any kind, badly: ruby bot.rb HOST PORT GAME [TABLE]
require "json"
require "socket"

host, port, game, table = ARGV
link = TCPSocket.new(host, port)
ask = ->(request) { link.puts({ id: request[:do] }.merge(request).to_json) }
if table
  ask.(do: "join", table: table)
else
  ask.(do: "open", game: game, house: { start: "asked" })
  %w[join bot start].each { |word| ask.(do: word) }
end
link.each_line do |line|
  said = JSON.parse(line)
  abort said["says"] if said["error"] && said["reply"] != "play"
  ask.(do: "play", move: said["moves"].sample) if said["moves"]&.any?
  break puts("places: #{said["outcome"]["places"].join(" ")}") if said["event"] == "GameOver"
end
