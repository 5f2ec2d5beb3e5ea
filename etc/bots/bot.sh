#!/bin/bash
# Plays one game of Nim, a stone at a time: bash bot.sh HOST PORT nim [TABLE]
coproc nc "$1" "$2"
ask() { printf '{"id":1,"do":%s}\n' "$1" >&"${COPROC[1]}"; }
if [ "$4" ]; then ask "\"join\",\"table\":\"$4\""
else ask "\"open\",\"game\":\"$3\""; ask '"join"'; ask '"bot"'; fi
while read -r line <&"${COPROC[0]}"; do case $line in
  *'"error":'*) echo "$line" >&2; kill "$COPROC_PID"; exit 1 ;;
  *'"event":"GameOver"'*) line=${line#*places}; echo "places${line%%]*}"; kill "$COPROC_PID"; exit 0 ;;
  *'"moves":[{'*) moves=${line#*'"moves":['}; ask "\"play\",\"move\":${moves%%\}*}}" ;;
esac; done; exit 1
