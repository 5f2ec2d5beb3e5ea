# Takes one stone each time.
while read -r line; do case $line in *your_turn=1*) echo "1 0" ;; esac; done
