# Takes as many stones as it may.
while read -r line; do
  case $line in *your_turn=1*) most=${line#*current_max=}; echo "${most%% *} 0" ;; esac
done
