# Takes as many stones as it may.
fconfigure stdout -buffering line
while {[gets stdin line] >= 0} {
  if {[regexp {your_turn=1.*current_max=(\d+)} $line all most]} { puts "$most 0" }
}
