"""Special rules by name: which rule of the digests a name on a roster means.

Nothing here is applied. An import says of each name whether it is one of these rules ("known:
SR-30") or words that only its codex explains ("not recognised"); the name itself stays as written.
"""

from __future__ import annotations

import re

from events.base import Value
from events.values import WeaponType

_RULES: dict[str, tuple[str, ...]] = {
    "ALLO-6": ("Barrage",),
    "ARMP-5": ("Rending", "Lance", "Sniper", "Tank Hunters"),
    "ARMP-6": ("Graviton", "Destroyer"),
    "CDEC-7": ("Relentless",),
    "CH-1": ("Character",),
    "DIFF-12": ("Move Through Cover",),
    "FLAT-6": ("Supersonic",),
    "FMCS-2": ("Jink",),
    "FMCS-3": ("Vector Strike",),
    "GUN-2": ("Interceptor",),
    "HOOD-1": ("Psychic Hood",),
    "HTH-3": ("Skyfire",),
    "JMPU-5": ("Hammer of Wrath",),
    "MALF-2": ("Daemon",),
    "PR-1": ("Precision Shots",),
    "PR-5": ("Precision Strikes",),
    "SHVC-6": ("Invincible Behemoth",),
    "SHWK-3": ("Stomp",),
    "SNAP-3": ("Twin-linked",),
    "SR-1": ("Melee",),
    "SR-2": ("Armourbane",),
    "SR-3": ("Specialist Weapon",),
    "SR-4": ("Two-handed",),
    "SR-5": ("Unwieldy",),
    "SR-6": ("Concussive",),
    "SR-7": ("Shred",),
    "SR-8": ("Fleshbane",),
    "SR-9": ("Force",),
    "SR-10": ("Haywire",),
    "SR-12": ("Blast", "Large Blast", "Small Blast", "Massive Blast", "Apocalyptic Blast"),
    "SR-13": ("Template",),
    "SR-14": ("Ignores Cover",),
    "SR-15": ("Stealth",),
    "SR-16": ("Shrouded",),
    "SR-18": ("Look Out, Sir",),
    "SR-19": ("Independent Character",),
    "SR-20": ("And They Shall Know No Fear",),
    "SR-21": ("Fearless",),
    "SR-22": ("Stubborn",),
    "SR-23": ("Fear",),
    "SR-24": ("Psyker",),
    "SR-25": ("Brotherhood of Psykers",),
    "SR-26": ("Psychic Pilot",),
    "SR-27": ("Adamantium Will",),
    "SR-28": ("Instant Death",),
    "SR-29": ("Eternal Warrior",),
    "SR-30": ("Feel No Pain",),
    "SR-31": ("Pinning",),
    "SR-32": ("Blind",),
    "SR-33": ("Soul Blaze",),
    "SR-34": ("Melta",),
    "SR-36": ("Deep Strike",),
    "SR-41": ("Smash",),
    "TCAP-4": ("Bulky", "Very Bulky", "Extremely Bulky"),
    "TYP-5": ("Assault Vehicle",),
    "VBS-3": ("Gets Hot",),
    "WRNG-1": ("Least range",),
    "ZSR-1": ("Vector Dancer", "Strafing Run"),
}
"""Rule ids and the names that stand for them."""

_NAMED = (
    "Acute Senses", "Counter-attack", "Crusader", "Fleet", "Furious Charge", "Hatred",
    "Hit and Run", "Infiltrate", "It Will Not Die", "Master-crafted", "Monster Hunter",
    "Night Vision", "Objective Secured", "One Use Only", "Outflank", "Poisoned",
    "Power of the Machine Spirit", "Preferred Enemy", "Rage", "Rampage", "Scout", "Skilled Rider",
    "Slow and Purposeful", "Split Fire", "Strikedown", "Swarms", "Torrent", "Vortex", "Zealot",
)  # fmt: skip
"""Universal special rules that no digest defines: known by name alone."""

_SYNONYMS = {
    "Tank Hunter": "Tank Hunters",
    "Concussion": "Concussive",
    "Destroyer Weapon": "Destroyer",
    "Rend": "Rending",
    "Poison": "Poisoned",
    "Poisoned Weapons": "Poisoned",
    "No Cover Saves": "Ignores Cover",
    "No Cover Svs": "Ignores Cover",
    "No Cover Sv": "Ignores Cover",
    "Ignore Cover": "Ignores Cover",
    "Unwieldly": "Unwieldy",
    "Mastercrafted": "Master-crafted",
    "One Use": "One Use Only",
    "One Shot": "One Use Only",
    "One Shot Only": "One Use Only",
    "One Use Only/One Shot Only": "One Use Only",
    "Brotherhood of Sorcerers": "Brotherhood of Psykers",
    "Brotherhood of Psykers/Sorcerers": "Brotherhood of Psykers",
    "Hit & Run": "Hit and Run",
    "FNP": "Feel No Pain",
    "ATSKNF": "And They Shall Know No Fear",
    "Scouts": "Scout",
    "Infiltrators": "Infiltrate",
    "Infiltrator": "Infiltrate",
    "Precision Shot": "Precision Shots",
    "Precision Strike": "Precision Strikes",
    "Swarm": "Swarms",
    "Daemon of Chaos": "Daemon",
    "Ch": "Character",
}

_OF_MELEE = frozenset({
    "Concussive", "Force", "Specialist Weapon", "Strikedown", "Two-handed", "Unwieldy",
})  # fmt: skip
_OF_GUNS = frozenset({
    "Barrage", "Blast", "Gets Hot", "Graviton", "Ignores Cover", "Lance", "Large Blast", "Melta",
    "Pinning", "Sniper", "Template", "Torrent", "Twin-linked",
})  # fmt: skip
_OF_BOTH = frozenset({
    "Armourbane", "Blind", "Destroyer", "Fleshbane", "Haywire", "Instant Death", "Master-crafted",
    "Poisoned", "Rending", "Shred", "Soul Blaze",
})  # fmt: skip
"""Rules that weapons have: only those for close combat, only guns, or either."""

_NAME = re.compile(
    r"(?P<size>[0-9]{1,2}[\"\u201d\u2033] *)?"
    r"(?P<name>[^\W\d_][^\d(:\[\u201d\"]*?)[ !.*]*"
    r"(?:[(\[:] *(?P<inside>[^)\]]*)[)\]]?|(?P<after>[0-9][^ ]*|ML ?[0-9]))?[ !.*]*"
)
_LETTERS = re.compile(r"[\W\d_]+")
_RUN_ON = re.compile(r"(?P<name>.*\S) (?P<after>[0-9]*D[36]|X)\+?")


class SpecialRule(Value, frozen=True, gc=False):
    """A special rule by name, with what stands in brackets or after it."""

    name: str
    """In its one spelling."""
    id: str
    """Rule id, e.g. ``"SR-30"``; "" for a rule known by name that no digest defines."""
    parameter: str = ""
    """As written: ``"5+"``, ``"Mastery Level 2"``, ``"Orks"``."""


def recognise(text: str) -> SpecialRule | None:
    """Return the special rule that a name on a roster means, or None for words of its own.

    >>> recognise("Feel no pain (4+)"), recognise("Gets Hot!")
    (SpecialRule(name='Feel No Pain', id='SR-30', parameter='4+'), \
SpecialRule(name='Gets Hot', id='VBS-3', parameter=''))
    >>> recognise("Poison 3+"), recognise("Rust Curse")
    (SpecialRule(name='Poisoned', id='', parameter='3+'), None)
    """
    match = _RUN_ON.fullmatch(text) or _NAME.fullmatch(text)
    if match is None:
        return None
    found = _KNOWN.get(_key(match["name"]))
    if found is None:
        return None
    told = {key: value for key, value in match.groupdict().items() if key != "name" and value}
    parameter = told.get("inside") or told.get("after") or told.get("size") or ""
    return SpecialRule(found.name, found.id, parameter.strip())


def is_for(name: str, kind: WeaponType) -> bool:
    """Return whether a special rule is one that weapons of this type have.

    >>> is_for("Two handed", "melee"), is_for("Gets Hot!", "melee"), is_for("Stubborn", "heavy")
    (True, False, False)
    """
    rule = recognise(name)
    return rule is not None and rule.name in _OF_BOTH | (_OF_MELEE if kind == "melee" else _OF_GUNS)


def spelling(name: str) -> str:
    """Return a rule's name without its parameter in its one spelling, other words as they are.

    >>> spelling("twin linked"), spelling("Rust  Curse"), spelling("Poison 3+")
    ('Twin-linked', 'Rust  Curse', 'Poison 3+')
    """
    rule = None if re.search(r"\d", name) else _KNOWN.get(_key(name))
    return rule.name if rule else name.strip()


def standing(text: str) -> str:
    """Return what is known of a name, for a report: "known: SR-22", "not recognised".

    >>> standing("Stubborn"), standing("Fleet"), standing("Rust Curse")
    ('known: SR-22', 'known by name', 'not recognised')
    """
    rule = recognise(text)
    if rule is None:
        return "not recognised"
    return f"known: {rule.id}" if rule.id else "known by name"


def _key(name: str) -> str:
    """Return a name's letters: blanks, hyphens and case are spelt as everyone likes."""
    return _LETTERS.sub("", name).lower()


_KNOWN = {_key(name): SpecialRule(name, rule) for rule, names in _RULES.items() for name in names}
_KNOWN |= {_key(name): SpecialRule(name, "") for name in _NAMED}
_KNOWN |= {_key(slip): _KNOWN[_key(name)] for slip, name in _SYNONYMS.items()}
