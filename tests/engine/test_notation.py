"""The notation: every choice has one line that reads back, and a bad line points at the word."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.notation import (
    Dice,
    LineError,
    describe,
    read,
    read_line,
    to_inches,
    to_mils,
    write,
)
from engine.notation.read import _READERS
from events.choices import (
    Aim,
    AimAt,
    AllocateWounds,
    AnswerRealDice,
    AnswerRuling,
    AnyChoice,
    CeaseFire,
    Charge,
    CheckMorale,
    Concede,
    Deploy,
    DirectBlows,
    EndPhase,
    FightCombat,
    FireOverwatch,
    GoToGround,
    MoveUnit,
    OfferRealDice,
    OverwatchBy,
    Place,
    PlaceModels,
    ProposeRuling,
    Reroll,
    Run,
    Shoot,
    Stay,
    StrikeWith,
    TakeWounds,
    TakeZone,
    TryDifficult,
)
from events.errors import NotationError
from events.movement import Spot
from events.questions import AnyQuestion, LinksNeeded, RollNeeded, WoundGroup
from events.rulings import (
    CoverRuling,
    PositionRuling,
    ScoreRuling,
    SightRuling,
    WoundsRuling,
)
from events.values import Point, Table
from projections.battle import Battle, Settings

SLUGS = st.from_regex(r"[a-z0-9-]{1,12}", fullmatch=True)
MILS = st.integers(-(10**9), 10**9)
POINTS = st.builds(Point, MILS, MILS)
NUMBERS = st.integers(1, 200)
PLACES = st.builds(Place, NUMBERS, st.lists(POINTS, max_size=4).map(tuple))
AIMS = st.builds(Aim, SLUGS, st.integers(0, 10))
MODELS = st.builds(lambda unit, n: f"{unit}.{n}", SLUGS, NUMBERS)


def some(of: st.SearchStrategy[Any], least: int = 1) -> st.SearchStrategy[Any]:
    return st.lists(of, min_size=least, max_size=5).map(tuple)


RULINGS: st.SearchStrategy[Any] = st.one_of(
    st.builds(SightRuling, SLUGS, SLUGS, st.booleans()),
    st.builds(CoverRuling, SLUGS, SLUGS, st.none() | st.integers(2, 6)),
    st.builds(PositionRuling, SLUGS, some(st.builds(Spot, NUMBERS, MILS, MILS))),
    st.builds(WoundsRuling, MODELS, st.integers(0, 10)),
    st.builds(ScoreRuling, st.sampled_from(["red", "blue"]), st.integers(0, 999)),
)

CHOICES: dict[type, st.SearchStrategy[Any]] = {
    TakeZone: st.builds(TakeZone, st.sampled_from(["south", "north"])),
    Deploy: st.builds(Deploy, SLUGS, some(POINTS)),
    MoveUnit: st.builds(MoveUnit, SLUGS, POINTS),
    PlaceModels: st.builds(PlaceModels, SLUGS, some(PLACES, 0)),
    Stay: st.builds(Stay),
    Run: st.builds(Run, SLUGS),
    Shoot: st.builds(Shoot, SLUGS, SLUGS, SLUGS, some(NUMBERS, 0)),
    AimAt: st.builds(AimAt, POINTS),
    Reroll: st.builds(Reroll, st.booleans()),
    GoToGround: st.builds(GoToGround, st.booleans()),
    CeaseFire: st.builds(CeaseFire),
    Charge: st.builds(Charge, SLUGS, some(SLUGS)),
    FireOverwatch: st.builds(FireOverwatch, st.just("") | SLUGS),
    OverwatchBy: st.builds(OverwatchBy, SLUGS),
    FightCombat: st.builds(FightCombat, SLUGS),
    StrikeWith: st.builds(StrikeWith, SLUGS, SLUGS, some(NUMBERS, 0)),
    DirectBlows: st.builds(DirectBlows, SLUGS, some(AIMS), some(NUMBERS, 0)),
    AllocateWounds: st.builds(
        AllocateWounds,
        st.integers(1, 10),
        st.none() | st.integers(1, 6),
        st.booleans(),
        st.booleans(),
    ),
    CheckMorale: st.builds(CheckMorale, SLUGS, st.booleans()),
    TakeWounds: st.builds(TakeWounds, some(MODELS)),
    TryDifficult: st.builds(TryDifficult, SLUGS, some(NUMBERS, 0)),
    ProposeRuling: st.builds(ProposeRuling, RULINGS),
    AnswerRuling: st.builds(AnswerRuling, st.sampled_from(["accept", "refuse", "roll"])),
    OfferRealDice: st.builds(OfferRealDice),
    AnswerRealDice: st.builds(AnswerRealDice, st.booleans()),
    EndPhase: st.builds(EndPhase),
    Concede: st.builds(Concede),
}


def test_every_kind_of_choice_is_tried_here() -> None:
    assert set(CHOICES) == set(get_args(AnyChoice))


@given(st.one_of(*CHOICES.values()))
def test_reading_what_was_written_gives_the_choice_back(choice: AnyChoice) -> None:
    assert read(write(choice)) == choice


@given(st.one_of(*CHOICES.values()))
def test_a_written_line_is_canonical(choice: AnyChoice) -> None:
    line = write(choice)
    assert write(read(line)) == line
    assert line.isascii() and line == " ".join(line.split())


@pytest.mark.parametrize(
    ("line", "choice"),
    [
        ("zone south", TakeZone("south")),
        ("deploy boyz 10,3 11.2,3", Deploy("boyz", (Point(10000, 3000), Point(11200, 3000)))),
        ("move boyz 6,-0.5", MoveUnit("boyz", Point(6000, -500))),
        (
            "place boyz 1:12.5,30 2:13.5,29>13.5,30",
            PlaceModels(
                "boyz",
                (
                    Place(1, (Point(12500, 30000),)),
                    Place(2, (Point(13500, 29000), Point(13500, 30000))),
                ),
            ),
        ),
        ("place boyz 3:stay", PlaceModels("boyz", (Place(3, ()),))),
        ("shoot warriors > boyz with boltgun", Shoot("warriors", "boyz", "boltgun")),
        ("shoot warriors > boyz with boltgun by 1 3", Shoot("warriors", "boyz", "boltgun", (1, 3))),
        ("charge boyz > warriors + lootas", Charge("boyz", ("warriors", "lootas"))),
        ("overwatch with boltgun", FireOverwatch("boltgun")),
        ("overwatch no", FireOverwatch()),
        ("overwatch by lads", OverwatchBy("lads")),
        ("strike warriors with power-fist", StrikeWith("warriors", "power-fist")),
        ("strike warriors with sword by 1 2", StrikeWith("warriors", "sword", (1, 2))),
        ("direct boyz > warriors", DirectBlows("boyz", (Aim("warriors"),))),
        (
            "direct boyz > warriors 2 + lads 1 by 3",
            DirectBlows("boyz", (Aim("warriors", 2), Aim("lads", 1)), (3,)),
        ),
        ("allocate strength 8 ap 2", AllocateWounds(8, 2)),
        ("allocate strength 4 ap -", AllocateWounds(4)),
        ("check boyz", CheckMorale("boyz")),
        ("fail boyz", CheckMorale("boyz", fail=True)),
        ("difficult boyz", TryDifficult("boyz")),
        ("difficult boyz but 3 4", TryDifficult("boyz", (3, 4))),
        ("rule sight boyz > warriors no", ProposeRuling(SightRuling("boyz", "warriors", False))),
        ("rule cover boyz > warriors 4+", ProposeRuling(CoverRuling("boyz", "warriors", 4))),
        ("rule cover boyz > warriors none", ProposeRuling(CoverRuling("boyz", "warriors", None))),
        (
            "rule position boyz 1:12.5,30 3:13,30",
            ProposeRuling(PositionRuling("boyz", (Spot(1, 12500, 30000), Spot(3, 13000, 30000)))),
        ),
        ("rule wounds boyz.3 0", ProposeRuling(WoundsRuling("boyz.3", 0))),
        ("rule score red 12", ProposeRuling(ScoreRuling("red", 12))),
        ("ruling roll", AnswerRuling("roll")),
        ("wound boyz.3 boyz.12", TakeWounds(("boyz.3", "boyz.12"))),
        ("aim 12.5,30", AimAt(Point(12500, 30000))),
        ("reroll yes", Reroll(True)),
        ("ground no", GoToGround(False)),
        ("allocate strength 4 ap - coverless", AllocateWounds(4, None, coverless=True)),
        ("cease fire", CeaseFire()),
        ("end phase", EndPhase()),
    ],
)
def test_the_lines_of_the_book(line: str, choice: AnyChoice) -> None:
    assert read(line) == choice
    assert write(choice) == line


@pytest.mark.parametrize(
    ("loose", "line"),
    [
        ("  Move boyz   6.0,0 ", "move boyz 6,0"),
        ("shoot warriors>boyz with boltgun", "shoot warriors > boyz with boltgun"),
        ("charge boyz >warriors+ lootas", "charge boyz > warriors + lootas"),
    ],
)
def test_spaces_and_capitals_do_not_matter(loose: str, line: str) -> None:
    assert write(read(loose)) == line


@pytest.mark.parametrize(
    ("line", "column", "says"),
    [
        ("", 1, "one of zone"),
        ("walk boyz 6,0", 0, "one of zone"),
        ("move boyz 6;0", 10, "a place or vector in inches"),
        ("move boyz 6.0001,0", 10, "a place or vector in inches"),
        ("move boyz nearer", 10, '"toward", "away from"'),
        ("move boyz 6,0 please", 14, "should end before"),
        ("move Böyz 6,0", 5, "a unit id"),
        ("place boyz 1:1,1 x:2,2", 17, "a model with its way"),
        ("deploy boyz 1,1 2", 16, "a place or vector"),
        ("shoot warriors at boyz", 15, '">"'),
        ("shoot warriors > boyz with boltgun by 0", 38, "a model number"),
        ("shoot warriors > boyz", 22, '"with" is missing'),
        ("charge boyz > warriors and lootas", 23, '"+"'),
        ("overwatch yes", 10, '"with" or "no"'),
        ("strike boyz > lads", 12, '"with"'),
        ("direct boyz > lads 2 and nobs 1", 21, '"+" or "by"'),
        ("allocate strength 8 ap none", 23, "an AP or -"),
        ("wound boyz", 6, "a model id"),
        ("end turn", 4, '"phase"'),
        ("zone east", 5, '"south" or "north"'),
        ("dice 3 x", 7, "the face of a die"),
    ],
)
def test_an_error_points_at_the_word_and_says_what_is_right(
    line: str, column: int, says: str
) -> None:
    with pytest.raises(NotationError) as caught:
        read_line(line)
    error = caught.value
    assert isinstance(error, LineError)
    assert error.column == column
    assert says in error.reason
    assert error.caret().splitlines()[1].index("^") == column


@given(st.text(max_size=60) | st.from_regex(r"(move|place|shoot|wound) [ -~]{0,40}"))
def test_any_text_is_read_or_refused_with_the_one_error(text: str) -> None:
    try:
        said = read_line(text)
    except LineError as error:
        assert 0 <= error.column <= len(text) + 1
    else:
        assert read_line(write(said)) == said


@pytest.mark.parametrize("line", ["auto", "3", "move boyz toward warriors 6"])
def test_a_macro_is_no_canonical_line(line: str) -> None:
    with pytest.raises(LineError, match="places written out"):
        read(line)


def test_entered_dice_are_a_line_of_their_own() -> None:
    assert read_line("dice 3 5 1") == Dice((3, 5, 1))
    assert write(Dice((3, 5, 1))) == "dice 3 5 1"
    with pytest.raises(LineError):
        read("dice 3 5 1")


@given(MILS)
def test_inches_are_exact_to_the_mil(mils: int) -> None:
    assert to_mils(to_inches(mils)) == mils


@pytest.mark.parametrize(
    "text", ["", "1,5", "1.", ".5", "+1", "1e3", "0x1", "1.0000", "\u0661", "--1"]
)
def test_what_is_no_length(text: str) -> None:
    assert to_mils(text) is None


QUESTION_FIELDS: dict[str, Any] = {
    "player": "blue",
    "unit": "warriors",
    "target": "boyz",
    "targets": ("warriors", "lootas"),
    "charger": "boyz",
    "distance": 4500,
    "models": (1, 2),
    "shooter": "boyz",
    "eligible": ("warriors.1", "warriors.2"),
    "wounds": 2,
    "weapon": "mortar",
    "model": "boyz.2",
    "faces": (1, 4, 5),
    "purpose": "to hit",
    "count": 5,
    "units": ("warriors", "lootas"),
    "groups": (WoundGroup(8, 2, 1), WoundGroup(4, None, 3)),
    "step": 4,
    "ruling": ScoreRuling("red", 3),
    "roll": RollNeeded("blue", "to hit", 3),
    "waiting": ("blue",),
    "link": "",
    "due": LinksNeeded("red", RollNeeded("red", "to wound", 3), ("red", "blue")),
}


@pytest.mark.parametrize("kind", get_args(AnyQuestion), ids=lambda kind: kind.__name__)
def test_every_question_says_who_decides_and_with_which_words(kind: Any) -> None:
    battle = Battle(Settings("40k-7e", "seeded", "blake2b/1", "free", "same"), Table())
    fields = {f: QUESTION_FIELDS[f] for f in kind.__struct_fields__ if f in QUESTION_FIELDS}

    said = describe(kind(**fields), battle)

    assert said.startswith("blue: ")
    assert "\n" not in said
    verbs = [option.split()[0] for option in said.rpartition("(")[2].split(" | ")]
    assert all(verb.rstrip(")") in _READERS for verb in verbs)
    if "distance" in fields:
        assert "4.5 inches" in said
