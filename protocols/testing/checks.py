"""What is asked of every game: its facts, its words, its secrets, and that nothing of it is ever lost.

A game's own tests ask it by one class, which pytest and unittest both find::

    class TestMyGame(GameChecks):
        kind = "my-game"

Every check can be run again: its chance comes from ``seeds``, and what fails names the seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import ClassVar

import attrs

from gamecore.bots import Thinker, bots_of
from gamecore.codec import plain
from gamecore.parcel import pack
from gamecore.rules import AnyRules, Move, Registry, installed_rules
from gamecore.settings import read_settings, settings_of
from protocols.host.door import installed_doors
from protocols.host.hints import LEVEL as HINT_LEVEL
from protocols.host.thinker_process import answer
from protocols.host.thinking import Question
from protocols.i18n.game_text import find_text
from protocols.i18n.translate import ENGLISH, translator_of
from protocols.testing import lives
from protocols.testing.guest import Way, ways
from protocols.testing.playing import Playing
from protocols.testing.secrecy.byte_pairs import Pair
from protocols.testing.secrecy.pairs import check_game
from protocols.testing.wires import HALL_WIRES, Wire

LONGEST_LINE = 79
MOST_STEPS = 20_000  # of one game: more of them is a game without an end


class GameChecks:
    """The checks of one game; a subclass says which, and may say how often, and how its own wire is spoken.

    ``seeds`` are tried one after the other in each check, ``visits`` of them by each wire, and ``storms`` of them
    where much is done each time, and by the wires of the hall, which the checks of each game try. ``wires`` are
    those of doors by kind, beside the doors to the whole hall: a game that has a door of its own names its wire
    there.
    """

    kind: ClassVar[str] = ""
    seeds: ClassVar[Sequence[int]] = range(12)
    visits: ClassVar[int] = 5
    storms: ClassVar[int] = 3
    wires: ClassVar[Mapping[str, Sequence[Wire]]] = {}

    @property
    def rules(self) -> AnyRules:
        """The rules under test, found as the daemon finds them."""
        return Registry(installed_rules()).latest(self.kind)

    def ways(self) -> list[Way]:
        """Give every way to a table of this game."""
        games = Registry(installed_rules()).kinds
        return list(ways(self.kind, games, installed_doors(), {**HALL_WIRES, **self.wires}))

    @contextmanager
    def seeded(self, seed: object) -> Iterator[None]:
        """Name the seed of what fails in a ``with``."""
        try:
            yield
        except Exception as problem:
            problem.add_note(f"with {self.kind}, {seed}")
            raise

    # -- facts ------------------------------------------------------------------------

    def test_it_states_its_constant_facts(self) -> None:
        """Its kind is a word, its classes are frozen and told apart by name."""
        rules = self.rules
        assert rules.kind.isalnum() and rules.kind.islower()
        assert rules.title and rules.version >= 1
        assert rules.seats[0] >= 1 and rules.seats.step == 1
        assert attrs.has(rules.options) and rules.events
        assert rules.brings is None or attrs.has(rules.brings)
        names = [move.__name__ for move in rules.moves]
        assert len(set(names)) == len(names) > 0
        for move in rules.moves:
            assert issubclass(move, Move) and attrs.has(move)
            assert move.__setattr__ is not object.__setattr__, f"{move.__name__} is not frozen"

    def test_every_option_has_a_line_of_help_and_a_default_within_its_bounds(self) -> None:
        """From which follow the ini section, the words of OPEN and the help."""
        options = self.rules.options
        for each in settings_of(options):
            assert each.bounds.help and "\n" not in each.bounds.help, f"{each.name} has no help"
            each.bounds.check(each.name, each.default)
        assert read_settings(options, {}) == options()

    def test_every_event_states_its_audience_and_is_frozen(self) -> None:
        """So that nobody hears by chance what is for another."""
        for event in self.rules.events:
            name = event.__name__
            assert "audience" in vars(event), f"{name}: its audience stands in its own class"
            assert attrs.has(event), f"{name} has no fields"
            assert event.__setattr__ is not object.__setattr__, f"{name} is not frozen"
            assert event.__doc__, f"{name} does not say what happened"

    def test_it_comes_to_an_end_and_the_same_seed_gives_the_same_game(self) -> None:
        """No game by chance goes on for ever, and the same commands always give the same events."""
        for seed in self.seeds[: self.visits]:
            with self.seeded(seed):
                first, again = (self._play(seed) for _ in range(2))
                assert first.position.outcome is not None, "it never ends"
                assert [plain(each) for each in first.heard] == [
                    plain(each) for each in again.heard
                ]

    def _play(self, seed: int) -> Playing:
        playing = Playing.begin(self.rules, Random(seed))
        for _ in range(MOST_STEPS):
            if not playing.step():
                break
        return playing

    # -- words ------------------------------------------------------------------------

    def test_every_legal_move_is_typed_in_words_of_its_own_and_read_back(self) -> None:
        """In any language; what is typed is plain ASCII that fits into a line."""
        text = find_text(self.kind)
        assert text is not None, "no package tells this game: see the group parlour.texts"
        for seed in self.seeds[: self.visits]:
            playing = Playing.begin(self.rules, Random(seed))
            with self.seeded(seed):
                while playing.step():
                    for seat in playing.position.to_move():
                        moves = list(playing.position.legal_moves(seat))
                        board = playing.position.seen_by(seat)
                        typed = [text.typed(move, board) for move in moves]
                        assert len(set(typed)) == len(moves), f"two moves are typed alike: {typed}"
                        say = playing.chance.choice([ENGLISH, translator_of("fr")])
                        for move, words in zip(moves, typed, strict=True):
                            assert words.isascii() and len(words) < LONGEST_LINE
                            assert text.read(words.split(), moves, board, say) == move, words

    # -- secrets ----------------------------------------------------------------------

    def test_no_seat_is_told_what_it_may_not_know(self) -> None:
        """No View, event or refusal follows from what is hidden; and what is hidden, a guess draws anew."""
        hides = drew = False
        for seed in self.seeds:
            with self.seeded(seed):
                hid, differed = check_game(self.rules, seed)
                hides, drew = hides or hid, drew or differed
        assert drew == hides, "a guess draws nothing anew" if hides else "a guess is another game"

    def test_a_guess_can_be_played_on_to_the_end(self) -> None:
        """Whatever a guess draws is a game that could be."""
        for seed in self.seeds:
            with self.seeded(seed):
                playing = Playing.begin(self.rules, Random(seed))
                for _ in range(playing.chance.randrange(60)):
                    playing.step()
                viewer = playing.chance.choice(playing.viewers)
                emit = playing.heard.append
                playing.position = playing.position.guess(viewer, playing.chance, emit)
                for _ in range(MOST_STEPS):
                    if not playing.step():
                        break
                assert playing.position.outcome is not None

    def test_no_byte_follows_from_what_is_hidden(self) -> None:
        """By no wire, to no player and to nobody who looks on, and not in the log."""
        watching = [way for way in self.ways() if way.wire.watch is not None]
        seated: list[Way | None] = [way for way in self.ways() if way.wire.sit is not None]
        for way in [None, *seated]:
            of_the_hall = way is not None and way.door.kind in HALL_WIRES
            for seed in self.seeds[: self.storms if of_the_hall else self.visits]:
                with self.seeded(f"{way or 'looking on'}, {seed}"):
                    chance = Random(f"{way} {seed}")
                    Pair.open(self.rules, chance, way, chance.choice(watching)).check()

    def test_who_thinks_ahead_finds_a_legal_move_in_another_process(self) -> None:
        """By what a seat knows, for hints and for the levels that think; and the same by the same chance."""
        for seed in self.seeds[: self.storms]:
            with self.seeded(seed):
                playing = Playing.begin(self.rules, Random(seed))
                for _ in range(playing.chance.randrange(30)):
                    playing.step()
                for seat in sorted(playing.position.to_move()):
                    parcel = pack(playing.position.guess(seat, playing.chance))
                    question = Question(self.kind, HINT_LEVEL, seat, 0.0, seed, parcel, playouts=2)
                    move = answer(question)
                    assert move in playing.position.legal_moves(seat)
                    assert move == answer(question)

    # -- lives ------------------------------------------------------------------------

    def test_bots_of_every_level_play_it_to_the_end(self) -> None:
        """And their record gives the very table again."""
        levels = bots_of(self.kind)
        for level in (each for each in levels if not isinstance(levels[each], Thinker)):
            for seed in self.seeds[:1]:
                with self.seeded(f"{level}, {seed}"):
                    lives.check_bots(self.rules, level, seed)

    def test_nothing_that_was_told_is_lost_when_the_daemon_is_killed(self) -> None:
        """At any command, committed or not; everybody comes back, and the game goes on to its end."""
        for seed in self.seeds[: self.storms]:
            with self.seeded(seed):
                lives.check_kills(self.rules, seed)

    def test_a_table_that_people_come_to_and_leave_stays_whole(self) -> None:
        """Programs play, drop their links, come back or do not, by JSON lines; nothing is left of them."""
        for seed in self.seeds[: self.storms]:
            with self.seeded(seed):
                lives.check_storm(self.rules, seed)

    # -- bytes ------------------------------------------------------------------------

    def test_no_bytes_whatever_hurt_a_table(self) -> None:
        """What is no move is answered, changes nothing, and is no failure in the log, by whatever wire."""
        for way in self.ways():
            if way.wire.sit is not None:
                with self.seeded(way):
                    lives.check_garbage(self.rules, way)
