"""LANG fr at the door of Rikiki: what is for people is French there, and what is for programs stays as it is."""

from __future__ import annotations

import pytest

from protocols.rikiki import wire

ROUND_1 = "AH 7S 10H 2S 3H KD 5S"
ROUND_2 = "9C AD 4C QC"


def comments(lines):
    return [line.removeprefix("# ") for line in lines if line.startswith("#")]


def facts(lines):
    return [line for line in lines if not line.startswith("#")]


def test_a_whole_game_is_told_in_french_to_one_and_in_english_to_another(rikiki_door):
    with rikiki_door(ROUND_1, ROUND_2) as door:
        code, ann, ben, cat = door.table("Ann", "Ben", "Cat", options="cards=2")
        ann.type("LANG fr")
        watchers = door.connect(), door.connect()
        watchers[0].type("LANG fr")
        for each in watchers:
            each.type(f"WATCH {code}")
        heard = {}
        for line in (
            "START",
            "BID 1",
            "BID 0",
            "BID 0",
            "PLAY AH",
            "PLAY 10H",
            "PLAY 3H",
            "PLAY 7S",
        ):
            mover = {"BID 0": ben, "PLAY 10H": ben, "PLAY 3H": cat}.get(line, ann)
            if line == "BID 0" and "BID 0" in heard:
                mover = cat
            mover.say(line.encode() + b"\n")
            heard[line] = comments(ann.raw())
        assert heard["START"] == [
            "Manche 1 sur 2 : 2 cartes chacun ; Ann annonce en premier.",
            "Votre annonce (BID n) : 0 1 2.",
        ]
        assert heard["BID 0"] == ["Votre carte (PLAY carte) : 7♠ A♥."]
        for mover, line in ((ben, "PLAY 2S"), (cat, "PLAY KD"), (ann, "NEXT")):
            mover.say(line.encode() + b"\n")
        told = comments(ann.raw())
        assert told[0] == "NEXT commence la manche suivante."
        assert told.pop(1) == "CARDS n donne un autre nombre de cartes que prévu."  # Ann opened it
        assert told[1] == "Manche 2 sur 2 : 1 carte chacun ; Ben annonce en premier."
        for mover, line in ((ben, "BID 0"), (cat, "BID 0"), (ann, "BID 0")):
            mover.say(line.encode() + b"\n")
        for mover, line in ((ben, "PLAY 9C"), (cat, "PLAY AD"), (ann, "PLAY 4C")):
            mover.say(line.encode() + b"\n")
        assert comments(ann.raw())[-1].startswith("La partie est finie. Gagnée par : ")
        french, english = (each.raw() for each in watchers)
        assert facts(french) == facts(english)
        assert len(comments(french)) == len(comments(english)) >= 4
        for here, there in zip(comments(french), comments(english), strict=True):
            assert here != there


def test_a_refusal_keeps_its_key_and_explains_it_in_french(rikiki_door):
    refusals = {
        "BID 9": "not-your-turn Ce n'est pas votre tour.",
        "START x": "bad-token Ce jeton n'ouvre rien ici ; seul celui qui a ouvert une table peut la lancer.",
        "PLAY AS": "wrong-state Ce n'est pas le moment.",
        "LANG xx": "no-such-language Cette langue n'est pas parlée ici. Il y a : en, fr.",
        "NAME x": "wrong-state Ce n'est pas le moment.",
        "JOIN xxxxx": "wrong-state Ce n'est pas le moment.",
    }
    with rikiki_door(ROUND_1, ROUND_2) as door:
        _, ann, ben, cat = door.table("Ann", "Ben", "Cat", options="cards=2")
        ann.type("START")
        ben.type("LANG fr"), cat.news()
        for line, why in refusals.items():
            french, english = ben.type(line), cat.type(line)
            assert french == [f"ERR {why}"]
            assert english != french
            assert english[0].split()[:2] == french[0].split()[:2]


def test_what_was_wrong_with_a_card_is_said_in_french(rikiki_door):
    with rikiki_door(ROUND_1, ROUND_2) as door:
        _, ann, ben, cat = door.table("Ann", "Ben", "Cat", options="cards=2")
        ben.type("LANG fr")
        ann.type("START", "BID 1")
        (wrong,) = [line for line in ben.type("BID 3") if line.startswith("ERR")]
        assert wrong == "ERR bid-range Une annonce est un nombre de 0 à 2."
        ben.type("BID 0")
        cat.type("BID 0")
        ann.type("PLAY AH")
        (wrong,) = [line for line in ben.type("PLAY 2S") if line.startswith("ERR")]
        must = "L'entame est AH et vous avez 10H : fournissez à la couleur."
        assert wrong == f"ERR follow-suit {must}"


@pytest.mark.parametrize("verb", [*wire.VERBS, "RULES"])
def test_there_is_help_on_every_verb_in_both_languages(rikiki_door, verb):
    with rikiki_door() as door:
        ann, ben = door.connect(), door.connect()
        ann.type("LANG fr")
        for each in (ann, ben):
            each.raw()
            each.say(f"HELP {verb}\n".encode())
        french, english = ann.raw(), ben.raw()
        assert french[-1] == english[-1] == f"OK HELP {verb}"
        assert 2 < len(french) < len(wire.VERBS)  # not the list of all that can be said
        assert french != english


def test_the_list_of_all_that_can_be_said_is_introduced_in_french(rikiki_door):
    with rikiki_door() as door:
        ann = door.connect()
        ann.type("LANG fr")
        ann.raw()
        ann.say(b"HELP\n")
        lines = comments(ann.raw())
        assert lines[0] == "Ce qu'on peut dire :"
        assert len(lines) == len(wire.VERBS) + 1


def test_english_is_spoken_again_to_those_who_ask_for_it(rikiki_door):
    with rikiki_door() as door:
        ann = door.connect()
        assert ann.type("LANG fr", "BID 1")[-1] != ann.type("LANG en", "BID 1")[-1]
