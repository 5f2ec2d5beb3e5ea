"""How the pages are reached, and who may set up games on them: one ini section."""

from __future__ import annotations

from attrs import frozen

from gamecore.settings import setting


@frozen
class WebDoorSettings:
    """The settings of the door."""

    url: str = setting("", "where people reach the pages, if not where they ask for them")
    proxy: bool = setting(False, "believe a proxy before us who asks, and whether TLS is spoken")
    organizers: str = setting(
        "anyone",
        "who may open tables on the pages: anyone, or who has the organizer's link",
        choices=("link", "anyone"),
    )
    json_origins: str = setting(
        "",
        "other sites whose pages may open /json, as https://example.org, apart by blanks; or any",
    )
    link_file: str = setting(
        "", "file for the organizer's link, or 'none'; by default beside the journal"
    )
