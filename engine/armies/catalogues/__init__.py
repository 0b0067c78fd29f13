"""Catalogues (``.cat`` and ``.gst``): what an army can be chosen from, and the choosing."""

from __future__ import annotations

from engine.armies.catalogues.choices import Choice, read_choice
from engine.armies.catalogues.mustering import muster_choices
from engine.armies.catalogues.options import Limit, Option
from engine.armies.catalogues.reading import Catalogue, open_catalogue, read_catalogue
from engine.armies.catalogues.sources import DIALECTS

__all__ = [
    "DIALECTS",
    "Catalogue",
    "Choice",
    "Limit",
    "Option",
    "muster_choices",
    "open_catalogue",
    "read_catalogue",
    "read_choice",
]
