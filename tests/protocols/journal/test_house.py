"""Several daemons on one journal: whose a table is, what the others hear of it, and who ends whom when."""

from __future__ import annotations

import socket
import subprocess
import time
from random import Random
from types import SimpleNamespace

import pytest
from attrs import evolve
from twisted.internet.task import Clock

from gamecore.contest.rating import Formula
from protocols.journal.errors import JournalLost
from protocols.journal.house import PeerRow
from protocols.journal.interface import RETIRED, SOMEBODY
from protocols.journal.ladder import fold_all
from protocols.journal.offline import held
from protocols.journal.postgres import runs
from tests import postgres
from tests.patience import SECONDS
from tests.postgres import through
from tests.protocols.journal.conftest import Rig
from tests.protocols.journal.media import only_postgres
from tests.protocols.journal.test_results import ended, night
from tests.relay import relayed

pytestmark = only_postgres

WAITS_FOR_LOCKS = 5.0  # seconds after which the engine gives up


@pytest.fixture
def pair(medium):
    """Two daemons of a house, each with a disk of its own."""
    rigs = Rig(medium), Rig(medium)
    yield tuple(map(Daemon, rigs))
    for rig in rigs:
        rig.close_all()


class Daemon:
    """One journal of several; ``told`` is what it has heard of the others."""

    def __init__(self, rig):
        self.rig = rig
        self.journal = rig.open()
        self.run = self.journal.run
        self.told = []
        self.journal.on_changed = self.told.extend
        self.lived = 0.0

    def beat(self):
        self.lived += 1.0
        self.journal.beat(self.lived, False)
        self.rig.wait(self.journal.read("none"))  # which comes behind it

    def hear(self):
        """Give a sign of life, and what was heard by it: codes, stages, and whose they are."""
        self.beat()
        heard = [(row.table, row.stage, row.owner) for row in self.told]
        self.told.clear()
        return heard

    def keep(self, *records, stage="playing", bot=False):
        """Keep records, and note the table of the first of them."""
        if records:
            self.journal.note(records[0].table, "nim", stage, bot, 0.0, "{}")
        self.rig.keep(self.journal, *records)

    def claim(self, code):
        return self.rig.wait(self.journal.claim(code)).run

    def reserve(self, code):
        return self.rig.wait(self.journal.reserve(lambda: code, 1))

    def offer(self, game, code, *tried):
        return self.rig.wait(self.journal.offer(game, code, tried))

    def release(self, code):
        self.journal.release(code)
        self.rig.keep(self.journal)

    def close(self):
        self.rig.close(self.journal)


# -- whose a table is -------------------------------------------------------------------


def test_a_table_belongs_to_the_run_that_opened_it_until_it_rests(pair, chain):
    a, b = pair
    assert (a.run, b.run) == (1, 2)
    a.keep(*chain("AAAAA", 2))
    assert (b.claim("AAAAA"), a.claim("AAAAA")) == (a.run, a.run)
    a.release("AAAAA")
    assert (b.claim("AAAAA"), a.claim("AAAAA")) == (b.run, b.run)


def test_what_others_have_written_meanwhile_is_gone_on_from(pair, chain):
    a, b = pair
    records = chain("AAAAA", 6)
    for number, daemon in enumerate((a, b, a)):
        daemon.claim("AAAAA")
        daemon.keep(*records[2 * number : 2 * number + 2])
        daemon.release("AAAAA")
    assert b.rig.wait(b.journal.read("AAAAA")) == [record.line for record in records]
    assert a.rig.lost == []


def test_who_only_looked_gives_a_table_back_as_it_rested(pair, chain):
    a, b = pair
    a.keep(*chain("AAAAA", 1))
    a.release("AAAAA")
    (before,) = a.rig.wait(a.journal.index())
    assert b.claim("AAAAA") == b.run
    b.journal.give_back("AAAAA")
    b.rig.wait(b.journal.read("AAAAA"))  # behind which that is done
    assert a.rig.wait(a.journal.index()) == [before]
    assert a.claim("AAAAA") == a.run


def test_a_table_that_is_released_and_claimed_at_once_is_not_released_behind_that(pair, chain):
    a, b = pair
    a.keep(*chain("AAAAA", 1))
    a.journal.release("AAAAA")
    assert a.claim("AAAAA") == a.run
    a.beat()
    assert b.claim("AAAAA") == a.run


def test_a_table_that_another_claims_at_the_same_time_is_not_taken_for_none(pair, chain):
    a, b = pair
    a.keep(*chain("AAAAA", 1))
    a.release("AAAAA")
    with a.rig.medium.connect() as other, other.transaction():
        other.execute(f"UPDATE tables SET owner = {a.run} WHERE code = 'AAAAA'")
        assert b.claim("AAAAA") == SOMEBODY
    assert b.claim("AAAAA") == a.run


def test_a_code_that_is_no_table_belongs_to_nobody(pair):
    assert pair[0].claim("AAAAA") == 0


def test_newcomers_to_one_game_are_led_to_the_table_that_was_offered_first(pair, chain):
    a, b = pair
    assert a.offer("nim 3", "AAAAA") == "AAAAA"
    assert b.offer("nim 3", "BBBBB") == a.offer("nim 3", "CCCCC") == "AAAAA"
    assert b.offer("nim 5", "BBBBB") == "BBBBB"
    assert a.offer("nim 5", "AAAAA") == "BBBBB"
    a.keep(*chain("AAAAA", 1), stage="unreachable")  # as one is where nobody could come back to
    assert b.offer("nim 3", "CCCCC") == "AAAAA"
    assert b.offer("nim 3", "CCCCC", "AAAAA") == "CCCCC", "it was tried in vain"
    assert a.offer("nim 3", "DDDDD") == "CCCCC"


def test_no_newcomer_is_led_to_a_game_that_has_begun_or_to_a_daemon_that_has_ended(pair, chain):
    a, b = pair
    assert a.offer("nim 3", "AAAAA") == "AAAAA"
    a.keep(*chain("AAAAA", 1), stage="playing")
    assert b.offer("nim 3", "BBBBB") == "BBBBB"
    b.close()
    assert a.offer("nim 3", "CCCCC") == "CCCCC"
    assert a.offer("nim 3", "DDDDD") == "CCCCC"


def test_codes_that_a_living_run_has_reserved_are_nobody_elses(pair):
    a, b = pair
    assert a.reserve("AAAAA") == ["AAAAA"]
    assert b.reserve("AAAAA") == []
    assert Daemon(a.rig).reserve("AAAAA") == []
    a.close()
    assert Daemon(b.rig).reserve("AAAAA") == ["AAAAA"]


# -- what the others hear ---------------------------------------------------------------


def test_the_others_hear_what_changes_and_whose_it_is_and_no_move(pair, chain):
    a, b = pair
    records = chain("AAAAA", 3)
    a.keep(records[0], stage="gathering")
    assert (a.hear(), b.hear()) == ([], [("AAAAA", "gathering", a.run)])
    a.keep(records[1], stage="playing")
    assert b.hear() == [("AAAAA", "playing", a.run)]
    a.keep(records[2], stage="playing", bot=True)
    assert b.hear() == []
    a.release("AAAAA")
    assert b.hear() == [("AAAAA", "playing", 0)]
    assert (a.hear(), b.hear()) == ([], [])


def test_the_others_hear_that_a_table_is_no_more(pair, chain):
    a, b = pair
    a.keep(*chain("AAAAA", 1))
    b.hear()
    a.journal.retire("AAAAA")
    a.rig.wait(a.journal.index())  # behind which it is done
    assert b.hear() == [("AAAAA", RETIRED, 0)]


def test_nothing_that_was_committed_late_is_passed_over(pair, chain):
    """A change may be committed behind a later one: what is looked for begins at the oldest that may be."""
    a, b = pair
    with a.rig.medium.connect() as late:
        late.execute("BEGIN")
        late.execute("SELECT pg_current_xact_id()")
        late.execute(
            "INSERT INTO tables (code, kind, stage, bot, run, card, changed)"
            " VALUES ('LATER', 'nim', 'playing', false, 99, '{}', pg_current_xact_id())"
        )
        a.keep(*chain("AAAAA", 1))
        assert b.hear() == [("AAAAA", "playing", a.run)]
        late.execute("COMMIT")
    assert ("LATER", "playing", 0) in b.hear()


def test_what_could_not_be_read_with_one_sign_of_life_is_heard_with_the_next_try(pair, chain):
    a, b = pair
    b.beat()
    a.keep(*chain("AAAAA", 1))
    failed = []

    def fail_once(statement):
        if "AS news" in statement and not failed:
            failed.append(b.rig.medium.busy())
            raise failed[0]

    b.rig.disk.watch = fail_once
    assert b.hear() == [("AAAAA", "playing", a.run)] and failed


def test_the_tables_of_a_run_that_ends_are_told_as_nobodys(pair, chain):
    a, b = pair
    a.keep(*chain("AAAAA", 1), bot=True)
    b.hear()
    a.close()
    b.beat()
    (row,) = b.told
    assert (row.table, row.bot, row.owner) == ("AAAAA", True, 0)
    assert b.claim("AAAAA") == b.run


def test_a_run_that_came_and_went_between_two_looks_leaves_nothing_out(pair, chain):
    a, b = pair
    c = Daemon(a.rig)
    c.keep(*chain("AAAAA", 1))
    c.close()
    assert b.hear() == [("AAAAA", "playing", 0)]


def test_each_daemon_knows_what_one_would_that_starts_now(pair, chain):
    a, b = pair
    known = {}
    for number in range(20):
        code = f"T{number:04}"
        (a, b)[number % 2].keep(*chain(code, 1), stage="gathering")
        if number % 3 == 0:
            (a, b)[number % 2].release(code)
        if number % 5 == 0:
            (a, b)[number % 2].journal.retire(code)
        b.beat()
    a.rig.wait(a.journal.index())
    b.rig.wait(b.journal.index())
    b.beat()
    for row in b.told:
        known[row.table] = row
    c = Daemon(b.rig)
    fresh = {row.table: row for row in c.rig.wait(c.journal.index())}
    others = {code: row for code, row in known.items() if row.stage != RETIRED}
    assert others == {code: row for code, row in fresh.items() if int(code[1:]) % 2 == 0}


def test_a_copy_put_on_another_server_does_not_tell_old_changes_for_ever(rig, chain):
    first = Daemon(rig)
    first.keep(*chain("AAAAA", 1))
    first.close()
    rig.medium.do("UPDATE tables SET changed = '999999999'")
    a, b = Daemon(rig), Daemon(rig)
    assert (a.hear(), b.hear()) == ([], [])


def test_a_transaction_that_is_open_for_long_makes_no_old_news(pair, chain):
    a, b = pair
    with a.rig.medium.connect() as idle:
        idle.execute("BEGIN")
        idle.execute("SELECT pg_current_xact_id()")
        a.keep(*chain("AAAAA", 1))
        assert b.hear() == [("AAAAA", "playing", a.run)]
        b.hear()  # what was committed between the two looks of a beat may be heard of twice
        assert b.hear() == []
        a.keep(*chain("BBBBB", 1))
        assert [code for code, _, _ in b.hear()] == ["BBBBB"]


# -- what may be put away ---------------------------------------------------------------


def test_a_table_that_another_run_has_is_not_retired(pair, chain):
    a, b = pair
    a.keep(*chain("AAAAA", 1))
    b.journal.retire("AAAAA")
    b.rig.wait(b.journal.index())
    assert len(a.rig.wait(a.journal.read("AAAAA"))) == 1


@pytest.mark.parametrize(("before", "left"), [(1.5, 1), (3.5, 0)])
def test_a_table_that_another_run_had_awake_since_is_not_given_up(pair, chain, before, left):
    a, b = pair
    a.keep(*chain("AAAAA", 1))
    for _ in range(4):
        a.beat()
    a.release("AAAAA")  # at the age of 3
    b.journal.retire("AAAAA", before)
    b.rig.wait(b.journal.index())
    assert len(a.rig.wait(a.journal.read("AAAAA"))) == left


def test_a_sign_of_life_changes_nothing_that_is_indexed(rig):
    """Else each would grow an index, for as long as some old transaction lets nothing be cleared away."""
    rig.open()
    indexed = rig.medium.do(
        "SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)"
        " WHERE indrelid = 'runs'::regclass"
    )
    assert indexed == [("run",)]


# -- who ends whom ----------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch):
    """Leases that are soon over."""
    monkeypatch.setattr(runs, "LEASE", 0.2)


@pytest.fixture
def begun(monkeypatch, quick):
    """Runs that are thought to have begun long ago, and have given no sign of life since."""
    monkeypatch.setattr(runs, "FIRST_LEASE", 0.0)


def beat_until_fenced(judge, run, most=SECONDS):
    """Give signs of life until a run is dead; gives how long that took."""
    began = time.monotonic()
    while judge.rig.medium.do(f"SELECT dead FROM runs WHERE run = {run}") == [(False,)]:
        assert time.monotonic() < began + most
        judge.beat()
    return time.monotonic() - began


def test_whose_lease_is_over_is_fenced_and_writes_nothing_any_more(begun, pair, chain):
    a, b = pair
    a.keep(*chain("AAAAA", 1))
    assert beat_until_fenced(b, a.run) >= 0.1  # what was left of a lease
    assert b.claim("AAAAA") == b.run
    a.journal.append(chain("AAAAA", 2)[1:])
    a.rig.turns.turn_until(lambda: a.rig.lost)
    assert isinstance(a.rig.lost[0], JournalLost)
    assert len(b.rig.wait(b.journal.read("AAAAA"))) == 1


def test_who_comes_to_a_table_of_one_whose_lease_is_over_waits_for_no_sign_of_life(
    pair, chain, monkeypatch
):
    a, b = pair
    now = Clock()
    monkeypatch.setattr(runs, "time", SimpleNamespace(monotonic=now.seconds))
    a.keep(*chain("AAAAA", 1))
    for _ in range(6):  # in the end b judges
        now.advance(runs.LEASE / 4)
        a.beat()
        b.beat()
    assert b.claim("AAAAA") == a.run
    a.rig.medium.do(
        f"UPDATE beats SET lease = clock_timestamp() - interval '1 s' WHERE run = {a.run}"
    )
    assert b.claim("AAAAA") == b.run
    a.journal.append(chain("AAAAA", 2)[1:])
    a.rig.turns.turn_until(lambda: a.rig.lost)


def test_who_comes_to_a_table_fences_nobody_behind_an_outage(quick, pair, chain):
    a, b = pair
    a.keep(*chain("AAAAA", 1))
    a.beat()
    b.beat()  # for less than the time of a lease
    a.rig.medium.do(
        f"UPDATE beats SET lease = clock_timestamp() - interval '1 s' WHERE run = {a.run}"
    )
    assert b.claim("AAAAA") == a.run
    assert a.rig.medium.do("SELECT dead FROM runs") == [(False,), (False,)]


def test_who_is_dead_is_not_counted_alive_for_a_connection_of_which_the_server_knows_no_better(
    begun, rig, chain, server, monkeypatch
):
    if postgres.GIVEN:
        pytest.skip("only a server of ours is known to be on a Unix socket")
    options = rig.path.partition("options=")[2]
    judge = Daemon(rig)
    with relayed(server.socket) as relay:
        monkeypatch.setattr(rig, "path", f"{through(relay.port)}?options={options}")
        dead = Daemon(rig)
        dead.keep(*chain("AAAAA", 1))
        relay.cut_callers()
        beat_until_fenced(judge, dead.run)
        assert judge.claim("AAAAA") == judge.run
        dead.journal.append([])
        dead.rig.turns.turn_until(lambda: dead.rig.lost)


def test_who_begins_has_time_to_do_so(quick, pair):
    """As many tables are listed before the first sign of life as there are."""
    a, _ = pair
    judges = time.monotonic() + 0.5
    while time.monotonic() < judges:
        a.beat()
    newcomer = Daemon(a.rig)
    for _ in range(20):
        a.beat()
    assert a.rig.medium.do(f"SELECT dead FROM runs WHERE run = {newcomer.run}") == [(False,)]


def test_the_lease_of_one_that_begins_ends_with_its_first_sign_of_life(rig):
    lone = Daemon(rig)
    lasts = "SELECT lease > clock_timestamp() + interval '10 s' FROM beats"
    assert rig.medium.do(lasts) == [(True,)]
    lone.beat()
    assert rig.medium.do(lasts) == [(False,)]


def test_who_gives_signs_of_life_is_fenced_by_nobody(quick, pair):
    a, b = pair
    for _ in range(100):
        a.beat()
        b.beat()
    assert a.rig.medium.do("SELECT dead FROM runs") == [(False,), (False,)]


def test_who_is_no_more_on_this_host_is_fenced_before_its_lease_is_over(quick, pair, monkeypatch):
    a, b = pair
    gone = subprocess.Popen(["true"])
    gone.wait()
    name = f"process {gone.pid} on {socket.gethostname()}"
    a.rig.medium.do(f"UPDATE runs SET name = '{name}' WHERE run = {a.run}")
    for _ in range(30):
        b.beat()  # while its writer is connected nobody is taken for gone
    end_writer_of(a)
    assert beat_until_fenced(b, a.run) < runs.FIRST_LEASE
    a.journal.append([])
    a.rig.turns.turn_until(lambda: a.rig.lost)


def test_who_was_cut_off_from_the_database_judges_nobody_before_a_whole_lease(begun, pair):
    a, b = pair
    a.beat()
    b.beat()
    time.sleep(0.3)  # an outage: every lease is over, and time is the database's
    b.beat()
    assert a.rig.medium.do("SELECT dead FROM runs") == [(False,), (False,)]
    a.beat()
    assert beat_until_fenced(b, a.run) >= 0.1  # what was left of a lease


def end_writer_of(daemon):
    """Let a writer lose its connection."""
    daemon.rig.medium.do(
        "SELECT pg_terminate_backend(pid) FROM pg_locks"
        f" WHERE locktype = 'advisory' AND objsubid = 2 AND objid = {daemon.run}"
    )


def is_fenced(daemon):
    return daemon.rig.medium.do(f"SELECT dead FROM runs WHERE run = {daemon.run}") == [(True,)]


def test_who_has_lost_its_connection_alone_is_not_fenced_and_goes_on(pair, chain):
    a, b = pair
    records = chain("AAAAA", 2)
    a.keep(records[0])
    end_writer_of(a)
    for _ in range(30):
        b.beat()
    assert not is_fenced(a)
    a.keep(records[1])
    assert b.claim("AAAAA") == a.run
    assert b.rig.wait(b.journal.read("AAAAA")) == [record.line for record in records]


def test_a_sign_of_life_that_is_held_up_keeps_its_tables_listed_and_its_daemon_alive(
    begun, pair, chain
):
    """Who holds the row of a run, be it for longer than a lease, ends nobody."""
    a, b = pair
    a.keep(*chain("AAAAA", 2)[:1])
    b.hear()
    with a.rig.medium.connect() as holder:
        holder.execute("BEGIN")
        holder.execute(f"SELECT 1 FROM runs WHERE run = {a.run} FOR UPDATE")
        a.journal.beat(1.0, True)
        held = time.monotonic() + 4 * runs.LEASE
        while time.monotonic() < held:
            assert ("AAAAA", "playing", 0) not in b.hear()
        holder.execute("COMMIT")
    a.keep(chain("AAAAA", 2)[1])
    assert not is_fenced(a) and a.rig.lost == []
    assert b.claim("AAAAA") == a.run


def test_a_writer_that_is_stopped_in_the_midst_of_writing_holds_up_nobody(begun, pair, chain):
    a, b = pair
    a.keep(*chain("AAAAA", 1))
    a.rig.disk.goes.clear()
    a.journal.retire("AAAAA")
    asked = a.journal.index()  # behind which it is retired, but for the commit
    longest, began = 0.0, time.monotonic()
    while a.rig.medium.do("SELECT 1 FROM runs WHERE dead") == []:
        last = time.monotonic()
        assert last < began + SECONDS
        b.beat()
        longest = max(longest, time.monotonic() - last)
    assert longest < WAITS_FOR_LOCKS  # so it waited for none
    assert b.claim("AAAAA") == b.run
    a.rig.disk.goes.set()
    a.rig.turns.turn_until(lambda: a.rig.lost)
    assert not asked.called and isinstance(a.rig.lost[0], JournalLost)
    assert len(b.rig.wait(b.journal.read("AAAAA"))) == 1


# -- ratings ----------------------------------------------------------------------------


def test_the_results_of_two_are_rated_once_each_in_the_order_of_their_numbers(pair, chain):
    a, b = pair
    for result in night(60, Random(1)):
        daemon = (a, b)[int(result.game, 16) % 2]
        daemon.keep(*ended(chain, result), stage="over")
    a.close()
    b.close()
    with held(a.rig.path) as store:
        while store.fold(Formula()):
            pass
        upto, _ = store.results.watermark()
        assert (upto, store.results.due(upto, 1)) == (60, [])
        ratings, met = fold_all(store.results, upto)
        assert (store.results.all_ratings(), store.results.all_met()) == (ratings, met)


def test_who_finds_another_rating_comes_back_to_it(pair, chain):
    a, _ = pair
    a.keep(*ended(chain, *night(1, Random(1))), stage="over")
    with a.rig.medium.connect() as other:
        other.execute("BEGIN")
        other.execute("SELECT upto FROM ladder FOR UPDATE")
        store = a.rig.medium.find(a.rig.disk, a.rig.path)
        store.open()
        assert store.fold(Formula()) is None  # and waits for nothing within its transaction
        other.execute("ROLLBACK")
    store.fold(Formula())
    assert store.results.watermark()[0] == 1
    store.close()


# -- daemons that are linked ------------------------------------------------------------


def followed(daemon, code, after=-1):
    return daemon.rig.wait(daemon.journal.mirror(code, after))


def judged(daemon, run):
    return daemon.rig.wait(daemon.journal.judge(run))


def test_who_can_be_linked_to_is_heard_of_with_a_sign_of_life_and_when_it_is_no_more(pair):
    a, b = pair
    met = []
    a.journal.on_peers = met.append
    b.journal.link("tcp:b.example:4250", "its key")
    b.beat()
    a.beat()
    a.beat()
    assert met == [[PeerRow(b.run, "tcp:b.example:4250", "its key")]]
    b.close()
    a.beat()
    assert met[1:] == [[]]


def test_a_command_of_another_run_is_named_beside_its_record(pair, chain):
    a, b = pair
    first, second, third = chain("AAAAA", 3)
    a.keep(first, evolve(second, asked="2.7"), third)
    lines = [(first.line, ""), (second.line, "2.7"), (third.line, "")]
    assert followed(b, "AAAAA") == lines
    assert followed(b, "AAAAA", after=1) == lines[2:]


def test_a_table_is_its_first_followers_as_soon_as_its_owner_is_gone(pair, chain):
    a, b = pair
    c = Daemon(b.rig)
    a.keep(*chain("AAAAA", 1))
    followed(b, "AAAAA")
    followed(c, "AAAAA")
    assert (b.claim("AAAAA"), c.claim("AAAAA")) == (a.run, a.run)
    a.close()
    assert judged(b, a.run) == 0.0
    assert c.claim("AAAAA") == b.run
    assert c.hear()[-1:] == [("AAAAA", "playing", b.run)]
    assert b.claim("AAAAA") == b.run


def test_a_table_that_is_handed_over_is_its_heirs_at_once_and_no_batch_takes_it_back(pair, chain):
    a, b = pair
    records = chain("AAAAA", 2)
    a.keep(records[0])
    followed(b, "AAAAA")
    a.journal.note("AAAAA", "nim", "playing", False, 0.0, "{}")  # with no batch yet
    a.rig.wait(a.journal.hand_over("AAAAA"))
    a.keep(*chain("BBBBB", 1))
    assert (a.claim("AAAAA"), b.claim("AAAAA")) == (b.run, b.run)
    b.keep(records[1])
    assert b.rig.lost == []


def test_who_follows_no_more_inherits_nothing(pair, chain):
    a, b = pair
    c = Daemon(b.rig)
    a.keep(*chain("AAAAA", 1))
    followed(b, "AAAAA")
    b.journal.unmirror("AAAAA")
    a.close()
    b.beat()
    assert c.claim("AAAAA") == c.run


def test_who_lives_is_judged_by_its_lease_and_nobody_is_declared_dead_by_who_is_asked_first(pair):
    a, b = pair
    b.beat()
    assert 0.0 < judged(a, b.run) <= runs.LEASE
    assert judged(a, 99) == 0.0
    b.beat()
