"""Armies chosen from a catalogue: what must be there is added, every limit is checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.armies import Imported
from engine.armies.catalogues import Choice, muster_choices, open_catalogue, read_choice
from events.errors import RosterError
from events.values import LeftOff

FILES = Path(__file__).resolve().parents[1] / "fixtures/catalogues"
WATCH = open_catalogue(FILES / "city-watch-2_03.cat", FILES / "ashfall-2_03.gst")
OLD = open_catalogue(FILES / "city-watch-2_00.cat", FILES / "ashfall-2_00.gst")


def mustered(*choices: str, points: int | None = None) -> Imported:
    """The army of these choices."""
    return muster_choices(WATCH, [read_choice(text) for text in choices], "red", points=points)


def told(imported: Imported, level: str) -> list[str]:
    """The report's sentences about choices, of one level."""
    return [
        f"{e.path}: {e.text}"
        for e in imported.report.entries
        if e.level == level and e.path[0].isupper()
    ]


def test_an_army_of_choices_takes_the_field() -> None:
    imported = mustered(
        "Lamplighter",
        "Night Watch [Sergeant [Old Plate], 5 Watchman, Watchman [Long Gun], "
        "2 Watchman [Boarding Axe]]",
    )
    army = imported.ready()
    captain, watch = army.units
    assert (captain.points, watch.points, army.points_declared) == (45, 71, 116)
    assert captain.models[0].weapons == ("sabre", "sabre")
    assert [(m.profile, m.weapons) for m in watch.models] == [
        ("sergeant", ("sabre",)),
        *[("watchman", ("flint-gun",))] * 5,
        ("watchman", ("long-gun",)),
        *[("watchman", ("boarding-axe",))] * 2,
    ]
    assert {w.id: (w.range, w.strength) for w in watch.weapons}["long-gun"] == (48000, 4)
    assert {p.name: (p.leadership, p.attacks) for p in watch.profiles} == {
        "sergeant": (8, 2),
        "watchman": (7, 1),
    }
    assert "Stubborn" in watch.not_applied
    assert army.source.catalogue == "City Watch"


def test_both_dialects_muster_the_same_army() -> None:
    choices = [read_choice("2 Night Watch [4 Watchman, Sergeant]")]
    old, new = (muster_choices(catalogue, choices, "red") for catalogue in (OLD, WATCH))
    assert old.army.units == new.army.units
    assert [unit.id for unit in new.army.units] == ["night-watch", "night-watch-2"]


def test_what_must_be_there_is_taken_and_told() -> None:
    imported = mustered("Night Watch")
    assert len(imported.army.units[0].models) == 4
    assert told(imported, "inferred") == [
        "Night Watch / Watchman: 4 taken: required, and nothing else was chosen",
        "Night Watch / Watchman / Flint Gun: 1 taken: required, and nothing else was chosen",
    ]


@pytest.mark.parametrize(
    ("choice", "error"),
    [
        (
            "Night Watch [3 Watchman]",
            "Night Watch / Watchman: 3 taken, against the limit min 4 in parent; take 4 or more",
        ),
        (
            "Night Watch [8 Watchman, 2 Watchman]",
            "Night Watch / Watchman: 10 taken, against the limit max 9 in parent; take 9 or fewer",
        ),
        (
            "Night Watch [4 Watchman [Flint Gun, Boarding Axe]]",
            "Night Watch / Watchman / Arm: 2 taken, against the limit max 1 in parent; "
            "take 1 or fewer",
        ),
        (
            "Night Watch [2 Watchman, 3 Watchman [Long Gun]]",
            "Night Watch / Watchman / Long Gun: 3 taken, against the limit max 2 in entry; "
            "take 2 or fewer",
        ),
        (
            "2 Night Watch [Sergeant [Old Plate]]",
            "Night Watch / Sergeant / Old Plate: 2 taken, against the limit max 1 in roster; "
            "take 1 or fewer",
        ),
        (
            "Levy [18 Levyman]",
            "Levy / Levyman: 63 points taken, against the limit max 60 points in parent; "
            "take 60 points or fewer",
        ),
    ],
)
def test_each_violation_is_named_with_what_would_be_right(choice: str, error: str) -> None:
    imported = mustered(choice)
    assert told(imported, "error") == [error]
    with pytest.raises(RosterError) as refused:
        imported.ready()
    assert error in refused.value.reason


@pytest.mark.parametrize(
    "choice",
    [
        "Night Watch [4 Watchman]",
        "Night Watch [9 Watchman]",
        "Night Watch [2 Watchman, 2 Watchman [Long Gun]]",
        "2 Night Watch [2 Watchman, 2 Watchman [Long Gun]]",
        "Levy [17 Levyman]",
    ],
)
def test_at_a_limit_is_within_it(choice: str) -> None:
    assert told(mustered(choice), "error") == []


def test_points_limit_the_army() -> None:
    assert mustered("Lamplighter", points=45).playable
    over = mustered("Lamplighter", points=44)
    assert [e.text for e in over.errors] == ["45 points taken, against the limit of 44; take fewer"]


def test_a_limit_that_a_condition_may_change_is_a_warning() -> None:
    imported = mustered("2 Lamplighter")
    assert imported.playable
    assert told(imported, "warning") == [
        "Lamplighter: 2 taken, against the limit max 1 in roster, which may change; "
        "1 or fewer would be safe"
    ]
    assert told(imported, "not applied") == [
        "Lamplighter: modifier not applied: increment max 1 by 1 if the force is Raid"
    ]


def test_a_vehicle_in_a_squad_is_left_off_with_its_points() -> None:
    imported = mustered("Night Watch [4 Watchman, Steam Cart]")
    assert imported.army.units[0].points == 20
    assert imported.army.left_off == (LeftOff("Steam Cart", "not yet playable: vehicle", 30),)


@pytest.mark.parametrize(
    ("choice", "where", "reason"),
    [
        ("Nobody", "city-watch-2_03.cat 'Nobody'", "not an entry of City Watch"),
        ("Night Watch [Pike]", "Night Watch", "no 'Pike' to choose here; there is Sergeant"),
        ("Night Watch [Secret]", "Night Watch", "no 'Secret' to choose here"),
        ("Night Watch [4 Watchman [Gun]]", "Night Watch / Watchman", "there is Flint Gun, Long"),
        ("999 Levy", "Levy / Levyman / Club", "options taken; too many for an army"),
    ],
)
def test_what_cannot_be_chosen_is_refused(choice: str, where: str, reason: str) -> None:
    with pytest.raises(RosterError) as refused:
        mustered(choice, *["999 Levy"] * 2 if choice.startswith("999") else [])
    assert refused.value.where == where
    assert reason in refused.value.reason


def test_a_groups_name_tells_options_of_one_name_apart() -> None:
    imported = mustered("Night Watch [4 Watchman [Arm / Boarding Axe]]")
    assert imported.army.units[0].models[0].weapons == ("boarding-axe",)


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("Squad", Choice("Squad")),
        ("  9  Trooper ", Choice("Trooper", 9)),
        ("1st Squad", Choice("1st Squad")),
        ('2 "Big, [Bad]"', Choice("Big, [Bad]", 2)),
        ('"3 Wise Men"', Choice("3 Wise Men")),
        ("A [B [C], 2 D]", Choice("A", 1, (Choice("B", 1, (Choice("C"),)), Choice("D", 2)))),
    ],
)
def test_the_notation_of_a_choice(text: str, choice: Choice) -> None:
    assert read_choice(text) == choice
    assert read_choice(str(choice)) == choice


@pytest.mark.parametrize(
    ("text", "where", "told"),
    [
        ("", "choice, character 1", "a name is needed"),
        ("3", "choice, character 2", "a name is needed"),
        ("A [", "choice, character 4", "a name is needed"),
        ("A [B", "choice, character 5", "a closing bracket is needed"),
        ("A [B] C", "choice, character 6", "nothing after a choice"),
        ("A, B", "choice, character 2", "nothing after a choice"),
        ("A]", "choice, character 2", "nothing after a choice"),
        ('A "B"', "choice, character 3", "a comma or a bracket"),
        ('"A', "choice, character 1", "a closed quote is needed"),
        ("[" * 20, "choice, character 1", "a name is needed"),
        ("A [" * 20, "choice, character 40", "no deeper nesting than 12"),
        ("A" * 5000, "choice", "5,000 characters; at most"),
    ],
)
def test_a_choice_that_cannot_be_read_names_the_place(text: str, where: str, told: str) -> None:
    with pytest.raises(RosterError) as refused:
        read_choice(text)
    assert refused.value.where == where
    assert told in refused.value.reason
