"""What a program hears of the hall, and what the hall hears of it."""

from __future__ import annotations

from gamecore.rules import installed_rules


def test_hello_gives_a_name_and_takes_a_better_one(house):
    program = house.connect()
    reply = program.ask("hello")
    assert reply["name"] == "guest-1"
    assert reply["games"] == sorted({each.kind for each in installed_rules()})
    assert {"play", "join", "quit"} <= set(reply["requests"])
    assert program.ask("hello", name=" anna ")["name"] == "anna"
    assert program.ask("name", name="anna b")["name"] == "anna b"
    other = house.connect()
    assert other.ask("name", name="ANNA  B")["error"] == "name-taken"
    refused = other.ask("name", name="x" * 25)
    assert (refused["error"], refused["facts"]) == ("name-too-long", {"most": 24})
    assert refused["says"] == "A name has at most 24 characters."


def test_games_are_listed_with_their_options_and_bots(house):
    reply = house.connect().ask("games")
    nim = next(each for each in reply["games"] if each["game"] == "nim")
    assert (nim["title"], nim["seats"], nim["brings"]) == ("Expanding Nim", [2, 2], None)
    assert "random" in nim["bots"]
    stones = next(each for each in nim["options"] if each["name"] == "stones")
    assert (stones["default"], stones["low"], stones["high"]) == (100, 1, 1_000_000)
    assert "private" in [each["name"] for each in reply["house"]]


def test_only_tables_that_all_may_join_are_listed(house):
    program = house.connect("p")
    code = program.ask("open", game="nim", name="here")["table"]
    program.ask("open", game="nim", house={"private": True})
    for game in ("nim", None):
        (table,) = program.ask("tables", game=game)["tables"]
        assert (table["table"], table["name"], table["players"]) == (code, "here", 0)
    assert program.ask("tables", game="chess")["error"] == "no-such-game"
    assert program.ask("schema", game="chess")["error"] == "no-such-game"
    assert program.ask("open", game="chess")["error"] == "no-such-game"


def test_people_are_listed_and_talk_at_their_table_or_in_the_hall(house):
    one, two, three = (house.connect(name) for name in ("one", "two", "three"))
    code = one.ask("open", game="nim")["table"]
    one.ask("join")
    two.ask("watch", table=code)
    people = three.ask("who")["people"]
    assert [(each["name"], each["table"], each["seat"]) for each in people] == [
        ("one", code, 0),
        ("two", code, None),
        ("three", None, None),
    ]
    two.ask("say", words="good luck")
    assert one.of("said") == [{"said": "good luck", "by": "two", "table": code, "private": False}]
    assert three.of("said") == []
    assert three.ask("tell", name="ONE", words="psst")["name"] == "one"
    assert one.of("said")[-1] == {"said": "psst", "by": "three", "table": None, "private": True}
    assert three.ask("tell", name="four", words="psst")["error"] == "nobody-called"


def test_a_table_may_have_no_watchers(house):
    one, two = house.connect("one"), house.connect("two")
    code = one.ask("open", game="nim", house={"watchers": False})["table"]
    reply = two.ask("watch", table=code)
    assert (reply["error"], reply["says"]) == ("no-watchers", "Nobody may look on at that table.")
    assert two.ask("watch")["error"] == "no-such-table"


def test_seats_are_taken_one_by_one_until_there_are_no_more(house):
    programs = [house.connect(f"p{n}") for n in range(4)]
    code = programs[0].ask("open", game="nim", house={"start": "asked"})["table"]
    assert programs[0].ask("join", table=code, seat=1)["seat"] == 1
    assert programs[1].ask("join", table=code, seat=1)["error"] == "seat-taken"
    assert programs[1].ask("join", table=code, seat=7)["error"] == "no-such-seat"
    assert programs[1].ask("join", table=code, brings={"is": "Deck"})["error"] == "brings-nothing"
    assert programs[1].ask("join", table=code)["seat"] == 0
    assert programs[2].ask("join", table=code)["error"] == "table-full"


def test_what_is_brought_along_is_read_to_the_letter(json_hall, high):
    with json_hall(high.HighRules()) as house:
        program = house.connect("p")
        program.ask("open", game="high")
        assert program.ask("join")["error"] == "must-bring"
        wrong = program.ask("join", brings={"word": 7})
        assert (wrong["error"], wrong["says"]) == ("malformed", "brings.word: text is wanted")
        assert program.ask("join", brings={"is": "Charm", "word": "hare"})["ok"]


def test_the_house_closes_and_says_so(house):
    north, south = house.table(stones=9)
    idle = house.connect("idle")
    house.host.close()
    house.settle()
    house.factory.dismiss_all("closing")
    for each in (north, south, idle):
        assert each.heard()[-1]["closed"] == "closing"
        assert each.closed
    assert north.of("parted")[0]["parted"] == "closing"
    house.hall._tables.clear()  # they live on in the journal


def test_nobody_leaves_a_house_that_closes(house):
    north, _ = house.table(stones=9)
    house.host.close()
    asked = {north.send("leave"), north.send("leave")}
    house.settle()
    errors = [each["error"] for each in north.of("reply") if each["reply"] in asked]
    assert errors == ["closing", "closing"]
    assert north.of("parted")[0]["parted"] == "closing"
    house.hall._tables.clear()  # they live on in the journal


def test_play_pauses_while_the_journal_is_in_trouble(house):
    north, _ = house.table(stones=9)
    house.journal.on_trouble("/var/lib/parlour.db: disk full")
    assert (north.heard()[-1]["paused"], north.producerState) == (True, "paused")
    assert b"/var" not in north.value()
    house.journal.on_trouble(None)
    assert (north.heard()[-1]["paused"], north.producerState) == (False, "producing")


def test_who_leaves_while_play_is_paused_is_heard_again(house):
    north, _ = house.table(stones=9)
    house.journal.on_trouble("disk full")
    north.send("leave")  # it was on its way already
    assert north.producerState == "producing"
    house.journal.on_trouble(None)
    assert north.ask("hello")["ok"]
