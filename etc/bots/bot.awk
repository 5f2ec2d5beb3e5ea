# Plays one game of any kind, by the first move each time: gawk -f bot.awk HOST PORT GAME [TABLE]
function ask(asked) { printf "{%s}\n", asked |& link; fflush(link) }
function first(text,   at, deep, sign) {
  do { sign = substr(text, ++at, 1); deep += (sign == "{") - (sign == "}") } while (deep)
  return substr(text, 1, at)
}
BEGIN {
  link = "/inet/tcp/0/" ARGV[1] "/" ARGV[2]
  if (ARGV[4]) ask("\"do\":\"join\",\"id\":1,\"table\":\"" ARGV[4] "\"")
  else {
    ask("\"do\":\"open\",\"id\":1,\"game\":\"" ARGV[3] "\",\"house\":{\"start\":\"asked\"}")
    split("join bot start", words)
    for (i = 1; i <= 3; i++) ask("\"do\":\"" words[i] "\",\"id\":1")
  }
  while ((link |& getline line) > 0) {
    if (line ~ /"reply":1,"error":/) { print line > "/dev/stderr"; exit 1 }
    if (line ~ /"event":"GameOver"/) {
      match(line, /"places":\[([^\]]*)/, places); print "places:", places[1]; exit 0
    }
    if (at = index(line, "\"moves\":[{"))
      ask("\"do\":\"play\",\"id\":2,\"move\":" first(substr(line, at + 9)))
  }
  exit 1
}
