// Never takes the most that it may, so that the maximum does not grow; wins where it can.
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const said = Object.fromEntries(line.split(" ").map((word) => word.split("=")));
  if (said.your_turn !== "1") return;
  const left = +said.stones_left, most = +said.current_max;
  console.log(left <= most ? left : Math.max(1, Math.min(most - 1, left % most)), 0);
});
