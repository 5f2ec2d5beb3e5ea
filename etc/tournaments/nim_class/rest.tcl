# Leaves four stones more than the maximum, where it can.
fconfigure stdout -buffering line
while {[gets stdin line] >= 0} {
  if {![regexp {your_turn=1 stones_left=(\d+) current_max=(\d+)} $line all left most]} continue
  set take [expr {$left <= $most ? $left : $left % ($most + 2)}]
  puts "[expr {$take < 1 || $take > $most ? 1 : $take}] 0"
}
