# Uses a reset whenever the maximum has grown and it has one left.
$| = 1;
while (<STDIN>) {
  next unless /your_turn=1 stones_left=(\d+) current_max=(\d+) your_resets=(\d+)/;
  print $1 <= $2 ? "$1 0\n" : $2 > 3 && $3 > 0 ? "1 1\n" : "1 0\n";
}
