"""Commit and reveal: hash chains that bind both sides, so that nobody can know a die ahead.

Each side draws a secret and hashes it again and again; it commits to the last link at creation.
Where dice are needed both reveal the link before, whose hash is the one already known, and the
dice follow from both: neither side alone can compute or change them, and a link is good once.

>>> red = LinkChain("a secret of red's", links=3)
>>> first = red.next(red.commitment)
>>> hashed(first) == red.commitment, hashed(red.next(first)) == first
(True, True)
"""

from __future__ import annotations

from hashlib import blake2b

from events.base import Side
from events.errors import DiceError, IllegalChoice

ALGORITHM = "blake2b-links/1"
"""The name that `GameCreated` records where dice are revealed."""

LINKS = 10_000
"""Links of a chain: ten times what a long game uses. Drawing them takes 10 milliseconds."""


def hashed(link: str) -> str:
    """Return the link that came before: what a side revealed, or committed to, earlier."""
    return blake2b(bytes.fromhex(link), digest_size=32, person=b"warledger-link").hexdigest()


def key_of_links(red: str, blue: str) -> bytes:
    """Return the key that both sides' links give to the dice of one step."""
    both = bytes.fromhex(red) + bytes.fromhex(blue)
    return blake2b(both, digest_size=32, person=b"warledger-dice").digest()


class LinkChain:
    """One side's chain, made from its secret. Whoever has the secret knows every link.

    A secret is 64 random hexadecimal digits (``secrets.token_hex(32)``), for one game only.
    """

    def __init__(self, secret: str, links: int = LINKS) -> None:
        self.secret = secret
        link = blake2b(secret.encode(), digest_size=32, person=b"warledger-seed").hexdigest()
        self._before: dict[str, str] = {}
        for _ in range(links):
            after = hashed(link)
            self._before[after] = link
            link = after
        self.commitment = link
        """The end of the chain, to be given to the other side before the game."""

    def __contains__(self, link: str) -> bool:
        """Whether a link (or the commitment) is of this chain."""
        return link in self._before

    def next(self, last: str) -> str:
        """Return the link to reveal after `last`, which is the commitment at first.

        Raises DiceError where `last` is of another chain, or is the last there is.
        """
        link = self._before.get(last)
        if link is None:
            raise DiceError(
                "link",
                f"{last[:12]}... is no link of this chain, or its last: offer to roll real dice",
            )
        return link


def check_link(by: Side, link: str, last: str) -> None:
    """Raise IllegalChoice unless `link` is the one that `by` has to reveal after `last`."""
    if hashed(link) != last:
        raise IllegalChoice(
            "DMOD-1",
            f"{link[:12]}... is not {by}'s next: its hash is {hashed(link)[:12]}...,"
            f" not {last[:12]}...",
        )


def leads_to(link: str, earlier: str) -> bool:
    """Whether `earlier` comes before `link` in one chain, which has at most `LINKS`."""
    for _ in range(LINKS if earlier else 0):
        link = hashed(link)
        if link == earlier:
            return True
    return False
