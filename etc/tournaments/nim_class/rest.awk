# Leaves a multiple of what the maximum would be plus one, where it can.
{ for (i = 2; i <= NF; i++) { split($i, part, "="); said[part[1]] = part[2] } }
said["your_turn"] == 1 {
  left = said["stones_left"]; most = said["current_max"]; take = left % (most + 1)
  print (left <= most ? left : take ? take : 1), 0; fflush()
}
