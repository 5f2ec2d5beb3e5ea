// Plays one game of any kind, badly: go run bot.go HOST PORT GAME [TABLE]
package main

import ("bufio"; "encoding/json"; "fmt"; "log"; "math/rand"; "net"; "os")

type object = map[string]any

func main() {
	link, err := net.Dial("tcp", net.JoinHostPort(os.Args[1], os.Args[2]))
	if err != nil { log.Fatal(err) }
	ask := func(do string, request object) {
		request["do"], request["id"] = do, do
		json.NewEncoder(link).Encode(request)
	}
	if len(os.Args) > 4 { ask("join", object{"table": os.Args[4]}) } else {
		ask("open", object{"game": os.Args[3], "house": object{"start": "asked"}})
		for _, do := range []string{"join", "bot", "start"} { ask(do, object{}) }
	}
	for lines := bufio.NewReader(link); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil { log.Fatal(err) }
		var said struct { Reply, Error, Says, Event any; Moves []any; Outcome struct{ Places any } }
		json.Unmarshal(line, &said)
		if said.Error != nil && said.Reply != "play" { log.Fatal(said.Says) }
		if n := len(said.Moves); n > 0 { ask("play", object{"move": said.Moves[rand.Intn(n)]}) }
		if said.Event == "GameOver" { fmt.Println("places:", said.Outcome.Places); return }
	}
}
