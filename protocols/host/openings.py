"""How a table is opened: with a code of its own, by what this house has where nobody says otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from gamecore import commands
from gamecore.fairness import DEAL_VERSION
from gamecore.rules import AnyRules
from gamecore.settings import Value, choose_settings, plain_settings
from gamecore.table import TABLE_VERSION
from gamecore.table_options import TableOptions
from protocols.host.card import Card
from protocols.host.code_pool import CodePool
from protocols.host.door import TableDefaults
from protocols.host.secrets import SecretSource, hash_token
from protocols.host.table_service import TableService
from protocols.host.waiting_tables import WaitingTables
from protocols.net.admission import Admission


class Openings:
    """Opens the tables of a house; ``defaults`` are those of new tables, by game, ``codes`` their names."""

    def __init__(
        self,
        service: TableService,
        secrets: SecretSource,
        admission: Admission,
        defaults: Mapping[str, TableDefaults],
    ) -> None:
        self._service = service
        self._secrets = secrets
        self.defaults = defaults
        self.codes = CodePool(service.journal, self._draw_code)
        self._waiting = WaitingTables(service.hall, service.dormant, admission)

    def complete(self, rules: AnyRules, options: Mapping[str, Value]) -> Mapping[str, Value]:
        """Give all options of a game: what is not said is as usual here; raises Refused."""
        usual = self._usual(rules.kind)
        return plain_settings(choose_settings(rules.options, {**usual.options, **options}))

    def _usual(self, kind: str) -> TableDefaults:
        return self.defaults.get(kind, TableDefaults())

    def open(
        self,
        kind: str,
        name: str,
        options: Mapping[str, Value],
        house: Mapping[str, Value],
        owner: str | None = None,
        by: str | None = None,
    ) -> Card:
        """Open a table; raises Refused, see ``Host.open``."""
        service = self._service
        service.check_open()
        service.check_begins()
        rules = service.hall.registry.latest(kind)
        all_options = self.complete(rules, options)
        usual = self._usual(kind).house
        rules_of_house = plain_settings(choose_settings(TableOptions, {**usual, **house}))
        self._waiting.check(by)
        code = self.codes.take()
        command = commands.Open(
            code=code,
            kind=kind,
            rules=rules.version,
            table=TABLE_VERSION,
            deal=DEAL_VERSION,
            name=name,
            seed=self._secrets.seed(),
            options=all_options,
            house=rules_of_house,
            owner=None if owner is None else hash_token(f"{code}.{owner}"),
        )
        service.open(command)
        self._waiting.note(by, code)
        return service.directory.find(code)

    def _draw_code(self) -> str:
        return self._secrets.code((self._service.live, self._service.dormant))
