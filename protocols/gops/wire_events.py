"""What the GOPS wire says, word for word as stock clients know it (specification, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from gamecore.events import Event
from gamecore.games.gops import (
    Cards,
    Forfeited,
    GopsView,
    Laid,
    Pair,
    PrizeTurned,
    Revealed,
)
from gamecore.rules import Outcome
from gamecore.table_events import (
    Abandoned,
    Dropped,
    GameBegan,
    GameOver,
    Left,
    Replaced,
    Returned,
    Sat,
    Waiting,
)
from protocols.gops.text import PRIZES, RANKS, SUITS
from protocols.gops.wire import fit_name
from protocols.i18n.refusals import explain_reason
from protocols.i18n.translate import ENGLISH

Names = Sequence[str]

WELCOME = "INFO~[SUCCESS] Successfully connected to this server!"
WAITING = "INFO~Waiting for another player to join"
STARTING = "START-GAME~Game is starting..."
YOUR_TURN = "YOUR-TURN~Your turn (pick the card number you wish to play): "
NOT_YOURS = "YOUR-TURN~Invalid move, you dont have that card, try again: "
BOTH_PLAYED = "INFO~Both of you have played, let's find out the scores..."
END = "END-GAME~End of game"
REFUSED = "END-GAME~refused"
NO_GAME = "FALSE~[COULD NOT JOIN] Game does does not exist"
HELP = (
    "INFO~SET-USERNAME~name: say what you are called",
    "INFO~START-GAME: open a game, and wait for another player",
    "INFO~JOIN-GAME~ID: join a game; JOIN-GAME~ID$word if it has a password",
    "INFO~PLAY-TURN~ID$N: lay a card, N from 1 (the ace) to 13 (the king)",
    "INFO~SPECTATE~ID: look on",
    "INFO~RETURN~token: come back to your game, with the token you were told",
    "INFO~!DISCONNECT: go",
)
_WENT = {
    "time": "{} did not choose a card in time",
    "disconnected": "{} lost the connection",
    "absent": "{} did not come back",
    "left": "{} left the game",
}
_REASONS = {
    "absent": "Nobody came back in time",
    "bug": "The game was closed because of an error of the server",
    "closing": "The server is closing",
    "code-taken": "No game could be opened; please try again",
    "empty": "The game was closed",
    "draining": "The server is about to close; please try again in a moment",
    "error": "The connection was closed because of an error of the server",
    "expired": "Nothing happened here for too long",
    "frame-broken": "That is no header of a message",
    "game-began": "There are already two players in this game",
    "hall-full": "There are too many games; please try again later",
    "idle": "You have said nothing for too long",
    "line-too-long": "A line is too long",
    "login-deadline": "You have said nothing for too long",
    "left": "The game was closed",
    "no-watchers": "Nobody may look on at this game",
    "not-utf-8": "A message is text in UTF-8",
    "password-needed": "This game asks for a password: ID$password",
    "restarted": "The server was restarted and a player cannot come back; the game is void",
    "table-away": "That game is at another server of this house; please try again in a moment",
    "table-closed": "The game was closed",
    "table-full": "There are already two players in this game",
    "table-lost": "The game was lost because of an error of the server",
    "table-resting": "The server met an error; please try again",
    "table-unreadable": "The record of this game cannot be read; please tell who runs the server",
    "taken-over": "You came back by another connection",
    "too-fast": "Too many messages at once",
    "too-many-connections": "There are too many connections; please try again later",
    "too-many-passwords": "Too many passwords are worked at; please try again in a moment",
    "too-many-seats": "Too many come at once; please try again in a moment",
    "too-many-tables": "Too many games were opened at once; please try again in a moment",
    "too-many-waiting": "Too many games wait for a second player; please join one of them",
    "too-many-guesses": "Too many wrong passwords; please wait",
    "too-much-garbage": "Too many messages that could not be read",
    "too-slow": "A message did not end in time",
    "lost-by-absence": "You were away for too long: your seat was lost by absence, with any game played there",
    "unknown-token": "Nobody is known by that token; the game may be over",
    "wrong-password": "That is not the password",
}


def reason(key: str) -> str:
    """Say why something is refused or ends, as a sentence."""
    return _REASONS.get(key) or explain_reason(key, ENGLISH)


@lru_cache(maxsize=4096)
def shown(name: str) -> str:
    """Fit a name, which may have come in by another door, to this wire."""
    return fit_name(name) or "?"


def card(value: int, suit: str) -> str:
    """Write a card as it stands on the wire: ``[10♦]``."""
    return f"[{RANKS[value]}{suit}]"


# -- before the game ------------------------------------------------------------------


def named(name: str) -> str:
    """Confirm a name."""
    return f"INFO~[SUCCESS] Username set to '{name}' successfully"


def created(code: str) -> list[str]:
    """Tell the creator of a game what it is called."""
    return [f"INFO~[GAME STARTED] New Game started with ID: {code}", f"SET-ID~{code}", WAITING]


def creation_refused(key: str) -> list[str]:
    """Refuse a creation, in the one way that brings a stock client back to its menu."""
    return [f"INFO~{reason(key)}", "SET-ID~-", REFUSED]


def joined(code: str) -> list[str]:
    """Tell a joiner that the seat is taken."""
    return [f"TRUE~[JOINED GAME] Joined game {code}", f"SET-ID~{code}"]


def watched(code: str) -> list[str]:
    """Tell a watcher that it is let in."""
    return [f"TRUE~[WATCHING] Looking on at game {code}", f"SET-ID~{code}"]


def returned(code: str) -> list[str]:
    """Tell one who has come back where."""
    return [f"TRUE~[RETURNED] Back in game {code}", f"SET-ID~{code}"]


def busy(code: str) -> str:
    """Refuse to let a client be in two games."""
    where = f"in game {code}" if code else "on your way to a game"
    return f"FALSE~[COULD NOT JOIN] You are {where} already"


def full(code: str) -> str:
    """Refuse a joiner, for whom there is no seat."""
    return f"FALSE~[COULD NOT JOIN] There are already two players in {code}"


def join_refused(key: str) -> str:
    """Refuse a joiner for any other reason."""
    return f"FALSE~[COULD NOT JOIN] {reason(key)}"


# -- the game -------------------------------------------------------------------------


def out_of_range(most: int) -> str:
    """Ask again, after a number that no card has."""
    return f"YOUR-TURN~Invalid move, please enter a number from 1 to {most}..."


def render(events: Sequence[Event], names: Names, seat: int | None) -> list[str]:
    """Say what the events of one command mean to a seat, or to a watcher (None)."""
    names = [shown(name) if name else "" for name in names]
    kinds = {type(event) for event in events}
    bodies: list[str] = []
    for event in events:
        if isinstance(event, Laid):
            if Revealed not in kinds:
                bodies += _laid(event, names, seat)
        elif isinstance(event, GameOver):
            return bodies + ([END] if Forfeited in kinds else _end(event.outcome, names))
        elif not (isinstance(event, Left) and kinds & {GameOver, Abandoned}):
            bodies += _say_of_game(event, names, seat) or _say_of_people(event, names, seat)
    return bodies


def _say_of_game(event: Event, names: Names, seat: int | None) -> list[str]:
    match event:
        case PrizeTurned(number=number, pot=pot, hands=hands, scores=scores):
            block = round_block(number, pot, hands, scores, names, seat)
            return block if seat is None else [*block, YOUR_TURN]
        case Revealed():
            return _revealed(event, names)
        case Forfeited():
            return [f"INFO~{_forfeited(event, names)}"]
    return []


def _say_of_people(event: Event, names: Names, seat: int | None) -> list[str]:
    match event:
        case Sat(seat=taken, name=name) if taken != seat:
            return [f"INFO~[NEW PLAYER] {shown(name)} joined the game!"]
        case GameBegan():
            return [STARTING]
        case Left(name=name):
            return [f"INFO~{shown(name)} left the game"]
        case Dropped(seat=away, grace=grace):
            kept = f"the seat is kept for {grace:g} seconds"
            return [f"INFO~{names[away]} lost the connection; {kept}"]
        case Waiting(seat=away):
            return [f"INFO~{names[away]} is still away; the game waits"]
        case Returned(seat=back):
            return [f"INFO~{names[back]} is back"]
        case Replaced(seat=_, name=name):
            return [f"INFO~{shown(name)} plays on"]
        case Abandoned(why=why):
            return [f"INFO~{reason(why)}", END]
    return []


def round_block(
    number: int,
    pot: Cards,
    hands: tuple[Cards, Cards],
    scores: Pair,
    names: Names,
    seat: int | None,
) -> list[str]:
    """Show what a round begins with: the points, the prizes, and a player's hand."""
    prizes = "".join(f"{card(each, PRIZES)} " for each in pot)
    block = [
        f"INFO~\n\n---------- Round {number} ----------",
        _points(scores, names),
        f"INFO~Current card: {prizes}",
    ]
    if seat is not None:
        held = "".join(f"{each}: {card(each, SUITS[seat])}, " for each in hands[seat])
        block.append(f"INFO~Your cards: {held}")
    return block


def _points(scores: Pair, names: Names) -> str:
    return f"INFO~{names[0]}'s Points: {scores[0]}, {names[1]}'s Points: {scores[1]}"


def _laid(event: Laid, names: Names, seat: int | None) -> list[str]:
    if seat is None:
        return [f"INFO~{names[event.seat]} has chosen a card"]
    return [waiting_for(names[1 - seat])] if event.seat == seat else []


def waiting_for(name: str) -> str:
    """Tell who has chosen first that the other is awaited."""
    return f"INFO~Waiting for {name} to play..."


def _revealed(event: Revealed, names: Names) -> list[str]:
    first, second = (card(bid, suit) for bid, suit in zip(event.bids, SUITS, strict=True))
    tied = event.winner is None
    return [
        BOTH_PLAYED,
        f"INFO~{names[0]} {first} : {second} {names[1]} ",
        "INFO~It's a tie!" if tied else f"INFO~{names[event.winner or 0]} wins this round!",
    ]


def _forfeited(event: Forfeited, names: Names) -> str:
    if len(event.seats) > 1:
        return "Nobody chose a card in time; the game is drawn"
    (lost,) = event.seats
    fact = _WENT.get(event.why, _WENT["left"]).format(names[lost])
    return f"{fact}; {names[1 - lost]} wins the game!"


def _end(outcome: Outcome, names: Names) -> list[str]:
    first, second = outcome.scores or (0, 0)
    drawn = len(outcome.winners) > 1
    return [
        "INFO~\n\n---------- End of Game ----------",
        _points((first, second), names),
        "INFO~It's a tie!" if drawn else f"INFO~{names[outcome.winners[0]]} wins the game!",
        END,
    ]


def render_view(view: GopsView, names: Names, seat: int | None) -> list[str]:
    """Show a game as it stands to one who comes into it."""
    names = [shown(name) for name in names]
    if view.over:
        return _show_end(view, names)
    block = round_block(view.number, view.pot, view.hands, view.scores, names, seat)
    if seat is None:
        return block + [text for each in view.laid for text in _laid(Laid(each), names, None)]
    return [*block, YOUR_TURN if seat not in view.laid else waiting_for(names[1 - seat])]


def _show_end(view: GopsView, names: Names) -> list[str]:
    if view.forfeit is not None:
        return [f"INFO~{_forfeited(view.forfeit, names)}", END]
    first, second = view.scores
    return _end(Outcome((1 + (second > first), 1 + (first > second)), view.scores), names)
