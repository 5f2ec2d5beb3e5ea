# Takes one stone, and at the end all.
{ for (i = 2; i <= NF; i++) { split($i, part, "="); said[part[1]] = part[2] } }
said["your_turn"] == 1 {
  print (said["stones_left"] <= said["current_max"] ? said["stones_left"] : 1), 0; fflush()
}
