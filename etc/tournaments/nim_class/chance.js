// Takes any number of stones that it may; wins where it can.
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const said = Object.fromEntries(line.split(" ").map((word) => word.split("=")));
  if (said.your_turn !== "1") return;
  const left = +said.stones_left, most = +said.current_max;
  console.log(left <= most ? left : 1 + Math.floor(Math.random() * most), 0);
});
