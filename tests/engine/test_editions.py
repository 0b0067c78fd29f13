"""The edition switch: which ruleset a game records decides, and nothing else. [TURN-1, TURN-3]"""

from __future__ import annotations

from random import Random

import pytest

from engine.editions import EDITIONS, SEVENTH, SIXTH, Edition, edition_of
from engine.sequence import RULESETS
from events.game import PhaseStarted
from events.ledger import Ledger
from tests.properties.kit import new_game, play_on


def test_every_ruleset_is_an_edition() -> None:
    assert set(RULESETS) == set(EDITIONS) == {"40k-6e", "40k-7e"}
    assert all(ruleset.id == name for name, ruleset in RULESETS.items())


@pytest.mark.parametrize("edition", [SEVENTH, SIXTH], ids=lambda edition: edition.id)
def test_a_turn_has_the_phases_of_its_edition(edition: Edition) -> None:
    """[TURN-1, TURN-3] The 6th edition has no Psychic phase."""
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, "turns", ruleset=edition.id), Random(4), 60)
        assert edition_of(game.battle) is edition
        played = {
            event.phase
            for node in game.history.path()
            for event in node.events
            if isinstance(event, PhaseStarted)
        }
        assert played == set(edition.phases)
        assert ("psychic" in played) == (edition is SEVENTH)
