// Plays one game of any kind, by the first move each time: bot HOST PORT GAME [TABLE]
#define _GNU_SOURCE
#include <netdb.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  struct addrinfo *peer, hints = {.ai_socktype = SOCK_STREAM};
  if (argc < 4 || getaddrinfo(argv[1], argv[2], &hints, &peer))
    return fputs("no such host\n", stderr), 1;
  int link = socket(peer->ai_family, SOCK_STREAM, 0);
  if (connect(link, peer->ai_addr, peer->ai_addrlen)) return perror(argv[1]), 1;
  if (argc > 4) dprintf(link, "{\"do\":\"join\",\"id\":1,\"table\":\"%s\"}\n", argv[4]);
  else dprintf(link, "{\"do\":\"open\",\"id\":1,\"game\":\"%s\",\"house\":{\"start\":\"asked\"}}\n"
    "{\"do\":\"join\",\"id\":1}\n{\"do\":\"bot\",\"id\":1}\n"
    "{\"do\":\"start\",\"id\":1}\n", argv[3]);
  FILE *lines = fdopen(link, "r");
  char *line = NULL, *at;
  for (size_t room = 0; getline(&line, &room, lines) > 0;) {
    if (strstr(line, "\"reply\":1,\"error\":")) return fputs(line, stderr), 1;
    if (strstr(line, "\"event\":\"GameOver\"") && (at = strstr(line, "\"places\":[")))
      return printf("places: %.*s\n", (int)strcspn(at + 10, "]"), at + 10), 0;
    if (!(at = strstr(line, "\"moves\":[{"))) continue;
    char *move = at += strlen("\"moves\":[");
    int deep = 0;  // the first move goes back as it is, up to where its brackets close
    do deep += (*at == '{') - (*at == '}'); while (*at++ && deep);
    dprintf(link, "{\"do\":\"play\",\"id\":2,\"move\":%.*s}\n", (int)(at - move), move);
  }
  return 1;
}
