"""Tables of 1-2-3 Pass where the players came by different doors."""

from __future__ import annotations

import re

import pytest

from tests.end_to_end.players import Line, Lobby, PassProgram

PASS = "[pass123]\nsend_gap = 0.02\n"
SIGNS = str.maketrans("♠♣♦♥", "SCDH")
ANY_CARD = r"(?:10|[2-9JQKA])[♠♣♦♥]"
BOARD = r"\*{39}\n[^\n]*\n([^\n]*)\n-{39}\nYou are P\d\n-{39}\n([^\n]*)\n\*{39}\n"
MOST_PASSES = 8  # a card is at most three seats away, with two others before it


class PassLine(Line):
    """A line client of 1-2-3 Pass."""

    def hand(self) -> list[str]:
        """Wait for the board at which a code is expected."""
        return self.until(rf"(?:^|\n){BOARD}")[2].split()

    def lay(self, card: str) -> None:
        self.say(card)
        assert card not in self.until(rf"True\|{BOARD}")[2].split()


class PassStock(PassLine):
    """A stock client: nothing ends its codes."""

    def say(self, line: str) -> None:
        self.socket.sendall(line.encode())


class PassLobby(Lobby):
    """A person at a table of 1-2-3 Pass."""

    def hand(self) -> list[str]:
        asked = self.until("[Pp]ass one of (.*)(: PASS card|, like PASS)")
        return asked[1].translate(SIGNS).split()

    def lay(self, card: str) -> None:
        self.say(f"pass {card}")


@pytest.fixture
def company(start_daemon, clients):
    """Seat four by three doors, who came in this order, and one who looks on."""
    ports = start_daemon(ini=PASS).ports
    line = clients(PassLine(ports["pass123"]))
    line.say("")  # which tells that it reads lines
    code = line.until(r"TOKEN (\w+)\.\S+\n")[1]
    eve = clients(Lobby(ports["lobby"], "eve"))
    eve.say(f"watch {code}")
    eve.until("You look on")
    stock = clients(PassStock(ports["pass123"]))
    eve.until("player 2 takes seat 2")
    program, ann = clients(PassProgram(ports["json"])), clients(PassLobby(ports["lobby"], "ann"))
    assert program.ask("join", table=code)["seat"] == 2
    ann.say(f"join {code}")
    eve.until("ann takes seat 4")
    return [line, stock, program, ann], eve


def pass_once(players, wanted: str, hands: list[list[str]]) -> None:
    """Let all pass a card: the first keeps those of a rank, the others pass them on to it."""
    for seat, (player, hand) in enumerate(zip(players, hands, strict=True)):
        fitting = [card for card in hand if (card[:-1] == wanted) is (seat > 0)]
        player.lay((fitting or hand)[0])


def test_four_by_three_doors_pass_cards_until_one_has_a_set_and_all_tap(company):
    players, eve = company
    line, stock, program, ann = players
    hands = [player.hand() for player in players]
    dealt = sorted(card for hand in hands for card in hand)
    assert len(set(dealt)) == 16
    ranks = [card[:-1] for card in hands[0]]
    wanted = max(ranks, key=ranks.count)
    passes = 0
    while {card[:-1] for card in hands[0]} != {wanted}:
        pass_once(players, wanted, hands)
        passes += 1
        heard = eve.until(rf"(?s)^(.*)1, 2, 3, pass! All cards have moved \(pass {passes}\)")[1]
        assert re.search(ANY_CARD, heard) is None
        hands = [player.hand() for player in players]
        assert sorted(card for hand in hands for card in hand) == dealt
        assert passes <= MOST_PASSES
    line.say("F")
    line.until(r"True\|Congratulations")
    eve.until(f"player 1 has finished with (?:{wanted}. ){{3}}{wanted}.; everybody else, TAP!")
    assert program.event("Finished")["seat"] == 0
    ann.until("player 1 has finished")
    stock.say(hands[1][0])  # it cannot know
    stock.until(r"False\|Someone already finished")
    stock.say("T")
    stock.until(r"True\|Tap successful")
    program.ask("play", move={"is": "Tap"})
    ann.say("tap")
    for person in (ann, eve):
        person.until("ann taps last, and loses")
        person.until("Game 1 is over: player 1 wins")
    for client in (line, stock):
        assert client.until(rf"Quit\|{BOARD}")[1].split() == ["1", "2", "3", "4"]
    assert program.event("GameOver")["outcome"]["places"] == [1, 2, 3, 4]


def test_all_are_told_when_one_of_four_by_three_doors_leaves(company):
    players, eve = company
    line, stock, program, ann = players
    pass_once(players, "", [player.hand() for player in players])
    hands = [player.hand() for player in players]
    line.lay(hands[0][0])
    ann.say("leave")
    ann.until("You have left table")
    eve.until("ann left; the game is void")
    line.until(r"Quit\|A player has left, the game is void")
    outcome = program.event("GameOver")["outcome"]
    assert (outcome["places"], outcome["reason"]) == ([1, 1, 1, 4], "left")
    stock.say(hands[1][0])
    stock.until(r"True\|A player has left, the game is void")
    stock.until(r"Quit\|A player has left, the game is void")
