#!/bin/bash
# Plays one game of any kind, by the first move each time: bash bot.sh HOST PORT GAME [TABLE]
coproc nc "$1" "$2"
ask() { printf '{"do":%s,"id":%s}\n' "$1" "${2:-1}" >&"${COPROC[1]}"; }
first() { move= part= deep=0; until part=${1%%[{\}]*}; brace=${1:${#part}:1}; move+=$part$brace
  [ "$brace" = "{" ] && ((++deep)) || ((--deep)); ((!deep)); do set -- "${1:${#part}+1}"; done; }
if [ "$4" ]; then ask "\"join\",\"table\":\"$4\""
else
  ask "\"open\",\"game\":\"$3\",\"house\":{\"start\":\"asked\"}"
  for do in join bot start; do ask "\"$do\""; done
fi
while read -r line <&"${COPROC[0]}"; do case $line in
  *'"reply":1,"error":'*) echo "$line" >&2; kill "$COPROC_PID"; exit 1 ;;
  *'"event":"GameOver"'*)
    line=${line#*places}; echo "places${line%%]*}"; kill "$COPROC_PID"; exit 0 ;;
  *'"moves":[{'*) first "${line#*'"moves":['}"; ask "\"play\",\"move\":$move" 2 ;;
esac; done; exit 1
