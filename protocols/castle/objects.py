"""The voice of a client that speaks objects: what each of its commands does."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gamecore.games.castle import CARDS, moves, operations
from gamecore.games.castle.moves import Spot
from gamecore.rules import Move
from protocols.castle import choices, questions, wire
from protocols.castle.choices import Choice
from protocols.castle.hearer import Hearer
from protocols.castle.pending_requests import Wanted
from protocols.castle.places import read_name
from protocols.castle.wire import Fault, Request
from protocols.i18n.sanitize import clean


class Objects(Hearer):
    """Speaks objects with one client."""

    # -- objects in -------------------------------------------------------------------

    def hear(self, line: str) -> None:
        """Act on one line."""
        command = ""
        try:
            request = wire.parse(line)
            if request is not None:
                command = request.command
                self._act(request)
        except Fault as fault:
            self._object(fault.code, str(fault), command)

    def _act(self, request: Request) -> None:
        act = _ACTIONS.get(request.command)
        if act is None:
            raise Fault("UNKNOWN_COMMAND", "there is no such command")
        if request.command not in _ANYWHERE and self._face.seat is None:
            raise Fault("NOT_JOINED", "join a game first")
        act(self, request)

    # -- coming and going -------------------------------------------------------------

    def _join(self, request: Request) -> None:
        if self._face.busy:
            raise Fault("ALREADY_JOINED", "you have joined already")
        self._joining = request
        self._extend(request.flag("EXTENSIONS", False))
        solo = request.fields.get("SOLO", False)
        level = "normal" if solo is True else solo if isinstance(solo, str) else None
        deck = request.fields.get("DECK_DATA")
        wanted = Wanted(
            request.text("USERNAME"),
            None if deck is None and level else wire.read_deck(deck),
            request.text("PASSWORD", ""),
            request.text("ROOM", ""),
            level,
            self._extended,
        )
        self._face.join(wanted)

    def _rejoin(self, request: Request) -> None:
        if self._face.busy:
            raise Fault("ALREADY_JOINED", "you have joined already")
        self._joining = request
        self._extend(True)
        self._face.come_back(request.text("TOKEN", most=wire.TOKEN_LIMIT))

    def _end(self, request: Request) -> None:
        self._face.leave()
        self._face.close()

    def _list_rooms(self, request: Request) -> None:
        rooms = [
            {
                "ROOM": table.code,
                "GAME_NAME": clean(table.name or table.rules.title),
                "PLAYER_COUNT": table.players,
                "MAX_PLAYERS": table.most_players,
                "IS_PASSWORDED": bool(table.house.password),
            }
            for table in self._face.factory.rooms()
        ]
        self._send({"COMMAND": "ROOM_LIST_RESP", "ROOMS": rooms})

    def _create_room(self, request: Request) -> None:
        name = clean(request.text("GAME_NAME", ""), 48)
        private = request.flag("PRIVATE", False)
        self._face.create(name, request.text("PASSWORD", ""), private)

    def _look(self, request: Request) -> None:
        self._face.look()

    # -- the mulligan and the draw ----------------------------------------------------

    def _accept_hand(self, request: Request) -> None:
        self._submit(moves.Keep(), request)

    def _redraw(self, request: Request) -> None:
        self._submit(moves.Mulligan(), request)

    def _answer_yes_or_no(self, request: Request) -> None:
        yes = request.flag("BOOL")
        if self._stage == "mulligan":
            self._submit(moves.Mulligan() if yes else moves.Keep(), request)
        elif questions.is_yes_or_no(self._moves):
            self._submit(moves.Accept() if yes else moves.Decline(), request)
        else:
            raise Fault("WRONG_PHASE", "nothing was asked")

    def _draw(self, request: Request) -> None:
        if questions.is_yes_or_no(self._moves):
            self._submit(moves.Accept(), request)
        elif self._offer is not None:
            self._submit(self._offer, request)
        else:
            self._submit(moves.DrawCard(), request)

    def _ignore_draw(self, request: Request) -> None:
        if questions.is_yes_or_no(self._moves):
            self._submit(moves.Decline(), request)
        elif self._offer is not None:
            self._offer = None
        else:
            raise Fault("WRONG_PHASE", "no draw was offered")

    # -- in one's own turn ------------------------------------------------------------

    def _play(self, request: Request) -> None:
        start, end = self._spot(request, "START_POS"), self._spot(request, "END_POS")
        card, triggered = request.number("CARD_ID"), request.flag("ABILITY_TRIGGERED")
        if end.seat != self._seat or start.seat != self._seat:
            raise Fault("BAD_POSITION", "you play cards of yours on your own side")
        if triggered:
            self._put(request, start, end, card)
            return
        if start.zone != "hand":
            raise Fault("BAD_POSITION", "cards are played from the hand")
        if self._moves:
            self._check_card(start, end, card)
        if not self._in_own_turn(request):
            return
        choice = choices.of_play(self._moves, start.slot, end.slot)
        if choice is None:
            self._submit(moves.PlayCard(start.slot, end.slot), request)
        else:
            self._paying = request
            self._go_on_choosing(choice, request)

    def _check_card(self, start: Spot, end: Spot, card: int) -> None:
        board = self._board
        hand = () if board is None else board.sides[self._seat].hand
        if start.slot >= len(hand):
            raise Fault("EMPTY_POSITION", "there is no card")
        if hand[start.slot].card != card:
            raise Fault("CARD_MISMATCH", "that is another card")
        if CARDS[card].type != end.zone:
            raise Fault("WRONG_TYPE", f"a {CARDS[card].type} does not go there")

    def _put(self, request: Request, start: Spot, end: Spot, card: int) -> None:
        """Put a card into play that another card lets one put."""
        choice, board = self._choice, self._board
        putting = [each for each in self._moves if isinstance(each, moves.PutCard)]
        if choice is None or board is None or not putting:
            raise Fault("WRONG_PHASE", "no card lets you play another now")
        place = questions.places_in(board, self._seat, self._moves)
        meant = [each for each in putting if place(each) == start]
        if not meant:
            raise Fault("BAD_TARGET", "that card may not be played")
        if meant[0].card != card:
            raise Fault("CARD_MISMATCH", "that is another card")
        if CARDS[card].type != end.zone:
            raise Fault("WRONG_TYPE", f"a {CARDS[card].type} does not go there")
        again = choices.of_question(self._moves, self._seat, place)
        if not (again.pick(start) and again.into(end.slot)):
            raise Fault("SLOT_TAKEN", "it cannot go there")
        self._go_on_choosing(again, request)

    def _level(self, request: Request) -> None:
        if "OPT" in request.fields and not request.flag("OPT"):
            return  # it was an offer, and was declined
        spot = self._own(request, "TARGET", "mage")
        if self._in_own_turn(request):
            self._submit(moves.LevelMage(spot.slot), request)

    def _use(self, request: Request) -> None:
        spot = self._own(request, "TARGET", "soldier", "mage", "decree")
        usable = [
            each.ability
            for each in self._moves
            if isinstance(each, moves.UseAbility) and each.source == spot
        ]
        index = request.number("INDEX", usable[0] if usable else 0)
        if self._stage == "window" or self._in_own_turn(request):
            self._submit(moves.UseAbility(spot, index), request)

    def _attack(self, request: Request) -> None:
        attacker = self._own(request, "ATTACKER", "soldier", "mage")
        target = self._spot(request, "TARGET")
        if target.seat == self._seat:
            raise Fault("BAD_TARGET", "you attack the enemy's cards")
        if self._in_own_turn(request):
            self._submit(moves.Attack(attacker, target), request)

    def _end_turn(self, request: Request) -> None:
        if self._in_own_turn(request):
            self._submit(moves.EndTurn(), request)

    def _in_own_turn(self, request: Request) -> bool:
        """Take the draw of the turn first, if it was not taken; what was asked for follows then."""
        if self._paying is not None:
            raise Fault("WRONG_PHASE", "choose what you pay first")
        if moves.DrawCard() in self._moves:
            self._face.submit_before(moves.DrawCard(), lambda: self._act_again(request))
            return False
        return True

    def _act_again(self, request: Request) -> None:
        try:
            self._act(request)
        except Fault as fault:
            self._object(fault.code, str(fault), request.command)

    # -- in answer to an action, or to a question ---------------------------------------

    def _activate(self, request: Request) -> None:
        spot = self._own(request, "TARGET", "trickster")
        if request.fields.get("CARD_POS") is not None:
            self._early[spot] = self._spot(request, "CARD_POS")
        self._submit(moves.ActivateTrickster(spot.slot), request)

    def _destroy(self, request: Request) -> None:
        """Activate the trickster that can destroy a card, or name that card if it is asked for."""
        target = self._spot(request, "CARD_POS")
        if self._stage == "question":
            self._choose(request)
            return
        able = [each for each in self._moves if self._destroys(each, target)]
        if "SOURCE_POS" in request.fields:
            source = self._own(request, "SOURCE_POS", "trickster")
            able = [moves.ActivateTrickster(source.slot)]
        if self._stage != "window" or not self._moves:
            raise Fault("NO_WINDOW", "there is nothing to answer")
        if len(able) != 1:
            raise Fault("BAD_TARGET", "say by SOURCE_POS which trickster is to do that")
        move = able[0]
        assert isinstance(move, moves.ActivateTrickster)
        self._early[Spot(self._seat, "trickster", move.slot)] = target
        self._submit(move, request)

    def _destroys(self, move: Move, target: Spot) -> bool:
        if not isinstance(move, moves.ActivateTrickster) or self._board is None:
            return False
        spot = Spot(self._seat, "trickster", move.slot)
        field = self._board.sides[self._seat].field
        card = next((each.card for each in field if each.spot == spot), None)
        abilities = () if card is None else CARDS[card].abilities
        effects = [effect for ability in abilities for effect in ability.effects]
        return target.seat != self._seat and any(
            isinstance(each, operations.Destroy)
            and each.target.side == "enemy"
            and target.zone in each.target.types
            for each in effects
        )

    def _allow(self, request: Request) -> None:
        self._submit(moves.AllowAction(), request)

    def _choose(self, request: Request) -> None:
        choice = self._choice
        if choice is None:
            raise Fault("WRONG_PHASE", "nothing was asked")
        if request.fields.get("CARD_POS") is None:
            self._decline(choice, request)
            return
        if not choice.pick(self._spot(request, "CARD_POS")):
            raise Fault("BAD_TARGET", "that was not offered")
        self._go_on_choosing(choice, self._paying or request)

    def _decline(self, choice: Choice, request: Request) -> None:
        if self._paying is not None:
            paying, self._paying, self._choice = self._paying, None, None
            self._refuse(paying, "NOT_ALLOWED", "you paid nothing, so nothing was played")
        elif choice.none is not None:
            self._submit(choice.none, request)
        else:
            raise Fault("BAD_TARGET", "something must be chosen")

    def _go_on_choosing(self, choice: Choice, request: Request) -> None:
        """Ask for the next position, or play the move that is meant."""
        move = choice.move
        if move is not None:
            self._choice = self._paying = None
            self._submit(move, request)
            return
        self._choice = choice
        board, trigger = self._board, self._trigger(request)
        assert board is not None
        if choice.none is None and self._paying is not None:
            message = questions.ask_target(
                choice, "choose what you give up", trigger, board, self._seat
            )
            self._send({**message, "CANCELLABLE": True})
        else:
            self._send(questions.ask_target(choice, "choose the next", trigger, board, self._seat))

    def _trigger(self, request: Request) -> Spot | None:
        given = request.fields.get("START_POS")
        return None if given is None else self._spot(request, "START_POS")

    def _return_card(self, request: Request) -> None:
        raise Fault("NOT_ALLOWED", "no card lets you do that")

    # -- reading ----------------------------------------------------------------------

    def _spot(self, request: Request, key: str) -> Spot:
        found: Spot = wire.placed(read_name, request.fields.get(key), self._seat)
        return found

    def _own(self, request: Request, key: str, *zones: str) -> Spot:
        spot = self._spot(request, key)
        if spot.seat != self._seat or spot.zone not in zones:
            raise Fault("BAD_POSITION", f"{key} is a {' or '.join(zones)} of yours")
        return spot

    def _submit(self, move: Move, request: Request) -> None:
        self._face.submit(move, request)


_ANYWHERE = ("JOIN_GAME", "REJOIN_GAME", "TERMINATE_CONN", "ROOM_LIST", "ROOM_CREATE")
_ACTIONS: Mapping[str, Callable[[Objects, Request], None]] = {
    "JOIN_GAME": Objects._join,
    "REJOIN_GAME": Objects._rejoin,
    "TERMINATE_CONN": Objects._end,
    "ROOM_LIST": Objects._list_rooms,
    "ROOM_CREATE": Objects._create_room,
    "STATE_REQUEST": Objects._look,
    "GAME_START_ACCEPT": Objects._accept_hand,
    "GAME_START_MULLIGAN": Objects._redraw,
    "DIAG_RESP": Objects._answer_yes_or_no,
    "DRAW_CARD": Objects._draw,
    "DRAW_CARD_OFFER_IGNORE": Objects._ignore_draw,
    "PLAY_CARD": Objects._play,
    "LEVEL_MAGE": Objects._level,
    "LEVEL_MAGE_RESP": Objects._level,
    "ACTIVATE_ABILITY": Objects._use,
    "ATTACK_CARD": Objects._attack,
    "TURN_END": Objects._end_turn,
    "ACTIVATE_TRICKSTER": Objects._activate,
    "DESTROY_CARD": Objects._destroy,
    "ALLOW_ACTION": Objects._allow,
    "TARGET_CARD_RESP": Objects._choose,
    "CHOOSE_COST_RESP": Objects._choose,
    "RETURN_CARD": Objects._return_card,
}
