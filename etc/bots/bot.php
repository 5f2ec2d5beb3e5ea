<?php // Plays one game of any kind, badly: php bot.php HOST PORT GAME [TABLE]
[, $host, $port, $game] = $argv;
$host = str_contains($host, ":") ? "[$host]" : $host;
$link = stream_socket_client("tcp://$host:$port") or exit(1);
$ask = fn ($do, $more = []) =>
    fwrite($link, json_encode(["do" => $do, "id" => $do] + $more) . "\n");
if (isset($argv[4])) {
    $ask("join", ["table" => $argv[4]]);
} else {
    $ask("open", ["game" => $game, "house" => ["start" => "asked"]]);
    array_map($ask, ["join", "bot", "start"]);
}
while ($line = fgets($link)) {
    $said = json_decode($line);
    if (isset($said->error) && $said->reply !== "play") {
        fwrite(STDERR, "$said->says\n");
        exit(1);
    }
    if ($moves = $said->moves ?? []) $ask("play", ["move" => $moves[array_rand($moves)]]);
    if (($said->event ?? "") === "GameOver") {
        exit("places: " . implode(" ", $said->outcome->places) . "\n");
    }
}
exit(1);
