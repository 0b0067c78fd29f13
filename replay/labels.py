"""Where names go on a picture: beside what they name, clear of bases and of each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

HIGH = 150
"""Height of a label, in tenths of a pixel."""
WIDE = 70
"""Width of one of its characters, about."""


class Box(NamedTuple):
    """An upright rectangle in tenths of a pixel; y grows downwards."""

    x0: int
    y0: int
    x1: int
    y1: int

    @classmethod
    def around(cls, boxes: Sequence[Box]) -> Box:
        """Return the smallest box around some boxes."""
        return cls(
            min(box.x0 for box in boxes),
            min(box.y0 for box in boxes),
            max(box.x1 for box in boxes),
            max(box.y1 for box in boxes),
        )

    def shared(self, other: Box) -> int:
        """Return the area that two boxes share, 0 if none.

        >>> Box(0, 0, 4, 4).shared(Box(2, 2, 9, 9))
        4
        """
        wide = min(self.x1, other.x1) - max(self.x0, other.x0)
        high = min(self.y1, other.y1) - max(self.y0, other.y0)
        return wide * high if wide > 0 and high > 0 else 0

    def beyond(self, frame: Box) -> int:
        """Return the area of this box outside a frame."""
        return (self.x1 - self.x0) * (self.y1 - self.y0) - self.shared(frame)


class Label(NamedTuple):
    """A text and the box around what it names."""

    text: str
    about: Box


def place_labels(labels: Sequence[Label], bases: Sequence[Box], frame: Box) -> list[Box]:
    """Return a box for each label, one after the other.

    Of some two dozen places around what it names a label takes the first that covers least: other
    labels weigh more than bases, the frame most, and every step away from its unit a little.
    Deterministic; costs labels times places times boxes.
    """
    placed: list[Box] = []
    for label in labels:

        def cost(box: Box) -> int:
            return (
                sum(box.shared(base) for base in bases)
                + 3 * sum(box.shared(there) for there in placed)
                + 10 * box.beyond(frame)
            )

        places = _places(label)
        placed.append(min(places, key=lambda box: cost(box) + 40 * places.index(box)))
    return placed


def _places(label: Label) -> list[Box]:
    """Return the boxes a label may take, best first: above, below, beside, then further off."""
    about, half = label.about, max(len(label.text) * WIDE // 2, WIDE)
    middle, level = (about.x0 + about.x1) // 2, (about.y0 + about.y1) // 2 + HIGH // 2
    found: list[Box] = []
    for gap in (20, 20 + HIGH, 20 + 2 * HIGH):
        for x in (middle, about.x0 + half, about.x1 - half):
            found.append(_at(x, about.y0 - gap, half))
            found.append(_at(x, about.y1 + gap + HIGH, half))
        found.append(_at(about.x1 + gap + half, level, half))
        found.append(_at(about.x0 - gap - half, level, half))
    found.append(_at(middle, level, half))
    return found


def _at(x: int, bottom: int, half: int) -> Box:
    return Box(x - half, bottom - HIGH, x + half, bottom)
