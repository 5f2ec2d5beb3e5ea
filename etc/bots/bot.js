// Plays one game of any kind, badly: node bot.js HOST PORT GAME [TABLE]
const [host, port, game, table] = process.argv.slice(2);
const link = require("net").connect(+port, host);
const ask = (request) => link.write(JSON.stringify({ id: request.do, ...request }) + "\n");
if (table) ask({ do: "join", table });
else {
  ask({ do: "open", game, house: { start: "asked" } });
  for (const word of ["join", "bot", "start"]) ask({ do: word });
}
require("readline").createInterface({ input: link }).on("line", (line) => {
  const { reply, error, says, moves, event, outcome } = JSON.parse(line);
  if (error && reply !== "play") { console.error(says); process.exit(1); }
  if (moves?.length) ask({ do: "play", move: moves[Math.floor(Math.random() * moves.length)] });
  if (event === "GameOver") { console.log("places:", ...outcome.places); ask({ do: "quit" }); }
});
