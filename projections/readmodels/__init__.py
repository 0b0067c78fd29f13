"""Views for people, folded from (step, event) pairs along the path to the head. [P8]

Give each of them ``history.facts()``: undone steps are not on that path, so they don't count.
"""

from projections.readmodels.casualties import Loss, losses
from projections.readmodels.dice_log import Rolled, dice_log
from projections.readmodels.luck import Luck, luck
from projections.readmodels.score import Standing, standings
from projections.readmodels.stage import Enlisted, Facts, Staged, enlisted, staged

__all__ = [
    "Enlisted",
    "Facts",
    "Loss",
    "Luck",
    "Rolled",
    "Staged",
    "Standing",
    "dice_log",
    "enlisted",
    "losses",
    "luck",
    "staged",
    "standings",
]
