"""What has not changed within a part is not sent again."""

from __future__ import annotations

from protocols.web import pieces


def part(*inner):
    return f'<section id="felt">{"".join(inner)}</section>'


def piece(name, text, tag="div"):
    return f'<!--=--><{tag} id="{name}" class="card">{text}</{tag}><!--/-->'


def test_a_page_that_has_nothing_is_sent_all_of_it_without_marks():
    html = part(piece("a", "one"), "<p>two</p>")
    assert pieces.whole(html) == (
        '<section id="felt"><div id="a" class="card">one</div><p>two</p></section>'
    )
    assert pieces.changed(html, "") == pieces.whole(html)


def test_a_piece_that_is_as_it_was_is_named_and_not_sent():
    before = part(piece("a", "one"), piece("b", "two", "label"), "<p>three</p>")
    after = part(piece("b", "two", "label"), piece("a", "one more"), "<p>four</p>")
    assert pieces.changed(after, before) == (
        '<section id="felt"><label id=b same></label><div id="a" class="card">one more</div>'
        "<p>four</p></section>"
    )


def test_a_piece_that_was_gone_is_sent_again():
    one, none = part(piece("a", "one")), part()
    assert pieces.changed(none, one) == pieces.whole(none)
    assert pieces.changed(one, none) == pieces.whole(one)


def test_a_piece_of_several_lines_that_holds_others_of_its_tag_is_one():
    inner = '<div>x</div>\n<div id="c">y</div>'
    html = part(piece("a", inner), piece("b", "z"))
    assert pieces.changed(html, html) == (
        '<section id="felt"><div id=a same></div><div id=b same></div></section>'
    )


def test_a_piece_that_holds_another_is_named_whole_or_sent_with_what_is_new_in_it():
    def seat(name, keep):
        return (
            f'<!--==--><div id="{name}" class="seat">{piece("keep-" + name, keep)}</div><!--//-->'
        )

    before = part(seat("a", "one"), seat("b", "two"))
    after = part(seat("a", "one"), seat("b", "three"))
    assert pieces.changed(after, before) == (
        '<section id="felt"><div id=a same></div><div id="b" class="seat">'
        '<div id="keep-b" class="card">three</div></div></section>'
    )
    turned = part(seat("a", "one").replace("seat", "seat turn"), seat("b", "two"))
    assert pieces.changed(turned, before) == (
        '<section id="felt"><div id="a" class="seat turn"><div id=keep-a same></div></div>'
        "<div id=b same></div></section>"
    )
    assert "<!--" not in pieces.whole(after)
