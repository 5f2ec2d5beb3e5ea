# Takes any number of stones that it may.
$| = 1;
while (<STDIN>) { /your_turn=1.*current_max=(\d+)/ and print 1 + int(rand($1)), " 0\n" }
