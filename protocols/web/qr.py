"""Links for cameras."""

from __future__ import annotations

import segno
from markupsafe import Markup


def draw_qr(text: str) -> Markup:
    """Draw a text as a QR code, in SVG."""
    code = segno.make(text, micro=False, error="m")
    return Markup(
        code.svg_inline(scale=4, light="#fff", dark="#000", svgclass="qr", lineclass=None)
    )
