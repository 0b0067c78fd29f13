"""Exact integer geometry: distances, paths, coherency, and placements that pass the checks.

Knows bases on a table and nothing else; whatever a rule decides on here is whole-number
arithmetic, the same on every machine. Lengths are mils, base radii tenths of a millimetre.
"""

from engine.geometry.charging import charge_placement, check_charge_placement, initial_charger
from engine.geometry.coherency import COHERENCY, coherent, groups, stragglers
from engine.geometry.distance import (
    CONTACT,
    INCH,
    Disc,
    closest,
    gap,
    in_contact,
    inches,
    inside,
    nearer,
    nearness,
    nearness_to,
    overlaps,
    unit_gap,
    units_within,
    within,
)
from engine.geometry.falling import Edge, FallBack, fall_back_placement, to_edge
from engine.geometry.paths import (
    MAX_WAYPOINTS,
    Block,
    Breach,
    KeepAway,
    Move,
    Path,
    check_moves,
    path_block,
    path_length,
    segment_length,
)
from engine.geometry.piling import PILE_IN, check_pile_in_placement, pile_in_placement
from engine.geometry.placing import deploy_spots, formation, translate_toward
from engine.geometry.routes import Route, shortest_path

__all__ = [
    "COHERENCY",
    "CONTACT",
    "INCH",
    "MAX_WAYPOINTS",
    "PILE_IN",
    "Block",
    "Breach",
    "Disc",
    "Edge",
    "FallBack",
    "KeepAway",
    "Move",
    "Path",
    "Route",
    "charge_placement",
    "check_charge_placement",
    "check_moves",
    "check_pile_in_placement",
    "closest",
    "coherent",
    "deploy_spots",
    "fall_back_placement",
    "formation",
    "gap",
    "groups",
    "in_contact",
    "inches",
    "initial_charger",
    "inside",
    "nearer",
    "nearness",
    "nearness_to",
    "overlaps",
    "path_block",
    "path_length",
    "pile_in_placement",
    "segment_length",
    "shortest_path",
    "stragglers",
    "to_edge",
    "translate_toward",
    "unit_gap",
    "units_within",
    "within",
]
