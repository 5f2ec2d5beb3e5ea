"""Passwords: sealed, checked, and slow to guess."""

from __future__ import annotations

from importlib.util import find_spec, module_from_spec

import pytest
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.task import Clock

from gamecore.errors import Refused
from protocols.host.passwords import MOST_UNDER_WAY, Passwords
from protocols.net.admission import Admission, AdmissionSettings


@pytest.fixture
def time():
    return Clock()


@pytest.fixture
def passwords(time):
    return Passwords(maybeDeferred, time.seconds, Admission(time.seconds))


def result(deferred):
    heard = []
    deferred.addBoth(heard.append)
    return heard[0]


def refusal(deferred):
    return result(deferred).value.key


def test_a_seal_says_nothing_of_the_word_and_is_never_the_same(passwords):
    one, other = result(passwords.seal("rosebud")), result(passwords.seal("rosebud"))
    assert one != other
    assert "rosebud" not in one
    assert b"rosebud".hex() not in one


def test_a_guess_costs_what_keeps_guessers_away(time):
    """By the module as it is for a daemon: other tests seal with less work."""
    spec = find_spec("protocols.host.passwords")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    passwords = module.Passwords(maybeDeferred, time.seconds, Admission(time.seconds))
    sealed = result(passwords.seal("rosebud"))
    assert sealed.startswith("scrypt-16384-8-1$")
    assert result(passwords.check("ABCDE", sealed, "rosebud")) is None


def test_whoever_knows_the_word_is_let_in(passwords):
    sealed = result(passwords.seal("rosebud ☂"))
    assert result(passwords.check("ABCDE", sealed, "rosebud ☂")) is None
    assert refusal(passwords.check("ABCDE", sealed, "rosebud")) == "wrong-password"
    assert refusal(passwords.check("ABCDE", sealed, "")) == "password-needed"
    assert refusal(passwords.check("ABCDE", sealed, "a" * 10_000)) == "wrong-password"


def test_a_table_without_one_is_open_to_all(passwords):
    assert result(passwords.check("ABCDE", "", "whatever")) is None


def test_what_nobody_sealed_opens_to_nothing(passwords, time):
    for sealed in ("rosebud", "scrypt-1-1-1$00", "scrypt-x-8-1$00$00", "scrypt-3-8-1$00$00"):
        assert refusal(passwords.check("ABCDE", sealed, "rosebud")) == "wrong-password"
        time.advance(10)


def test_guessing_is_slow_and_does_not_lock_other_tables(passwords, time):
    sealed = result(passwords.seal("rosebud"))
    keys = [refusal(passwords.check("ABCDE", sealed, f"guess {n}")) for n in range(6)]
    assert keys == ["wrong-password"] * 5 + ["too-many-guesses"]
    assert refusal(passwords.check("ABCDE", sealed, "rosebud")) == "too-many-guesses"
    assert result(passwords.check("FGHJK", sealed, "rosebud")) is None
    time.advance(10)
    assert result(passwords.check("ABCDE", sealed, "rosebud")) is None


def test_a_password_has_a_length(passwords):
    assert refusal(passwords.seal("a" * 101)) == "password-too-long"
    with pytest.raises(Refused):
        raise result(passwords.seal("a" * 101)).value


def test_few_are_worked_at_or_wait_and_the_next_is_refused_at_no_cost(time):
    working: list[Deferred] = []

    def in_thread(work, *what):
        working.append(Deferred())
        return working[-1]

    admission = Admission(time.seconds)
    passwords = Passwords(in_thread, time.seconds, admission)
    for number in range(MOST_UNDER_WAY):
        passwords.seal(f"word {number}")
    sealed = "scrypt-16384-8-1$00$00"
    refused = [
        result(each).value
        for each in (passwords.seal("one more"), passwords.check("ABCDE", sealed, "x"))
    ]
    assert [each.key for each in refused] == ["too-many-passwords"] * 2
    assert all(each.facts["wait"] >= 1 for each in refused)
    assert len(working) == MOST_UNDER_WAY and admission.refused["too-many-passwords"] == 2
    working[0].callback("sealed")
    passwords.check("ABCDE", sealed, "x")
    working[1].callback("sealed too")
    passwords.seal("and another")
    assert len(working) == MOST_UNDER_WAY + 2


def test_an_address_has_so_many_passwords_whatever_they_are_for(time):
    settings = AdmissionSettings(passwords_at_once=2, passwords_a_minute=6.0)
    passwords = Passwords(maybeDeferred, time.seconds, Admission(time.seconds, settings))
    sealed = result(passwords.seal("rosebud", "192.0.2.1"))
    assert result(passwords.check("ABCDE", sealed, "rosebud", "192.0.2.1")) is None
    assert refusal(passwords.check("ABCDF", sealed, "rosebud", "192.0.2.1")) == "too-many-passwords"
    assert refusal(passwords.seal("rosebud", "192.0.2.1")) == "too-many-passwords"
    assert result(passwords.check("ABCDF", sealed, "rosebud", "192.0.2.2")) is None
    time.advance(10)
    assert result(passwords.check("ABCDF", sealed, "rosebud", "192.0.2.1")) is None
