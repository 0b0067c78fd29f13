"""The tables of `side_by_side`: medians, spreads and ratios as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from measure import Times
from side_by_side_worker import Answer, Call

NAMES = {
    "ours": "ours",
    "boardgame.io": "boardgame.io",
    "stock": "stock aggregate",
    "python-chess": "python-chess, other rules",
}

PEERS = ("boardgame.io", "stock")
"""Who plays the same toy as ours."""


class Contest(NamedTuple):
    """What came of one script."""

    actions: int
    script: list[Call]
    places: list[int]
    """Numbers of actions after which to look, for all rounds together."""
    durable: bool
    checked: dict[str, Answer]
    """Of the first run, which wasn't timed: digests, sizes, peak memory."""
    rounds: list[dict[str, Answer]]


class Work(NamedTuple):
    """One line of a table of times."""

    label: str
    section: str
    per: str = "action"
    """Time is divided by the number of these: "action", "seek", or "whole" for not at all."""
    against: str = ""
    """The section of ours that a peer's own way of doing it is held against; "" for the same."""


WORKS = (
    Work("apply, an action", "apply"),
    Work("apply, the 50th of 100", "apply p50", "whole"),
    Work("apply, the 99th of 100", "apply p99", "whole"),
    Work("apply, synced to an SQLite file", "durable"),
    Work("undo, an action", "undo"),
    Work("redo, an action", "redo"),
    Work("seek in an open game", "seek", "seek"),
    Work("seek, a snapshot every 100 events", "seek from snapshots", "seek", "seek"),
    Work("replay from the log, whole game", "replay", "whole"),
    Work("replay by executing every action again", "executed", "whole"),
    Work("save to a file, synced", "save", "whole"),
    Work("load from the file", "load", "whole"),
    Work("save, undo history thrown away", "save without undo", "whole", "save"),
    Work("load of that", "load without undo", "whole", "load"),
)
GROWTH = ["apply", "apply p50", "apply p99", "undo", "redo", "seek"]
GROWTH += ["replay", "executed", "save", "load"]
SIZES = (
    ("the file saved, index included", "file"),
    ("the same, rows compressed by zlib", "file compressed"),
    ("its rows or log alone", "rows"),
    ("the file, undo history thrown away", "file without undo"),
)


def report(machine: str, contests: Sequence[Contest], reasons: dict[str, str]) -> str:
    """Return the whole page."""
    engines = {a.engine: None for c in contests for a in c.checked.values()}
    parts = ["# Side by side", INTRODUCTION, machine + "  ", "; ".join(engines)]
    parts += [f"{NAMES[name]} n/a: {reason}." for name, reason in reasons.items()]
    compared = [c for c in contests if len(c.checked) > 1]
    for one in compared:
        parts += [f"## Time, {one.actions:,} actions", times(one)]
    parts += ["## Peak memory", MEMORY, memory(contests)]
    parts += ["## Bytes an action", sizes(compared)]
    parts += ["## Where ours is behind", BEHIND, behind(compared)]
    if len(contests) > 1:
        parts += ["## How ours grows", GROWING, growth(contests)]
    parts += ["## How each was asked", HOW]
    return "\n\n".join(parts) + "\n"


def times(contest: Contest) -> str:
    """Return the times of one script; of peers, also how many times ours they are."""
    rows = []
    for work in WORKS:
        cells = [_time(contest, name, work) for name in NAMES]
        if any(cell not in ("", "as above") for cell in cells):
            rows.append([work.label, *(cell or "n/a" for cell in cells)])
    return table(["work", *NAMES.values()], rows)


def _time(contest: Contest, name: str, work: Work) -> str:
    if name == "ours" and work.against:
        return "as above"
    taken = _taken(contest, name, work)
    if taken is None:
        return ""
    if name not in PEERS:
        return taken.show()
    return f"{taken.show()}, **{_times_ours(_ratio(contest, name, work))}**"


def _times_ours(ratio: float | None) -> str:
    if ratio is None:
        return "n/a"
    return f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.2f}x"


def _ratio(contest: Contest, name: str, work: Work) -> float | None:
    """Return how many times ours a peer's time is; None where either can't do it."""
    taken = _taken(contest, name, work)
    ours = _taken(contest, "ours", work._replace(section=work.against or work.section))
    if taken is None or ours is None:
        return None
    return median(a / b for a, b in zip(taken.rounds, ours.rounds, strict=True))


def behind(contests: Sequence[Contest]) -> str:
    """Return every work and size in which a peer does better than ours, whatever the length."""
    rows = []
    for name in PEERS:
        for work in WORKS:
            ratios = [_ratio(contest, name, work) for contest in contests]
            if any(ratio is not None and ratio < 1 for ratio in ratios):
                rows.append([work.label, NAMES[name], *map(_times_ours, ratios)])
        for label, key in SIZES:
            shares = [_share(contest, name, key) for contest in contests]
            if any(share is not None and share < 1 for share in shares):
                rows.append([f"bytes: {label}", NAMES[name], *map(_times_ours, shares)])
        shares = [_memory_share(contest, name) for contest in contests]
        if any(share is not None and share < 1 for share in shares):
            rows.append(["memory on top, played", NAMES[name], *map(_times_ours, shares)])
    return table(["work", "peer", *(f"{c.actions:,} actions" for c in contests)], rows)


def _share(contest: Contest, name: str, key: str) -> float | None:
    if name not in contest.checked:
        return None
    sizes, ours = contest.checked[name].sizes, contest.checked["ours"].sizes
    base = ours.get(key, ours["file"])
    return sizes[key] / base if key in sizes else None


def _memory_share(contest: Contest, name: str) -> float | None:
    if name not in contest.checked:
        return None
    found = (contest.checked[it].sizes for it in (name, "ours"))
    theirs, ours = (sizes["memory after apply"] - sizes["memory at start"] for sizes in found)
    return theirs / ours if ours else None


def _taken(contest: Contest, name: str, work: Work) -> Times | None:
    found = [r[name].seconds.get(work.section) for r in contest.rounds if name in r]
    if not found or None in found:
        return None
    per = {
        "action": contest.actions,
        "seek": len(contest.places) / len(contest.rounds),
        "whole": 1,
    }[work.per]
    return Times(tuple(time / per for time in found if time is not None))


def memory(contests: Sequence[Contest]) -> str:
    """Return peaks as "start + what came on top"."""
    rows = []
    for contest in contests:
        for label, when in (("played", "after apply"), ("all sections done", "at the end")):
            cells = []
            for name in NAMES:
                answer = contest.checked.get(name)
                if answer is None:
                    cells.append("n/a" if len(contest.checked) == 1 else "")
                    continue
                start = answer.sizes["memory at start"]
                more = answer.sizes[f"memory {when}"] - start
                cells.append(f"{start / 1e6:.0f} + {more / 1e6:.1f} MB")
            rows.append([f"{contest.actions:,} actions, {label}", *cells])
    return table(["when", *NAMES.values()], rows)


def sizes(contests: Sequence[Contest]) -> str:
    """Return stored bytes, divided by the actions."""
    rows = []
    for contest in contests:
        for label, key in SIZES:
            found = [
                contest.checked[n].sizes.get(key) if n in contest.checked else None for n in NAMES
            ]
            cells = ["n/a" if size is None else f"{size / contest.actions:,.0f}" for size in found]
            rows.append([f"{contest.actions:,} actions, {label}", *cells])
    return table(["what", *NAMES.values()], rows)


def growth(contests: Sequence[Contest]) -> str:
    """Return our times, each divided by its pieces of work, by length of the game."""
    rows = []
    for work in WORKS:
        if work.section in GROWTH:
            whole = work.per == "whole" and " p" not in work.section
            per = work._replace(per="action") if whole else work
            found = [_taken(contest, "ours", per) for contest in contests]
            label = f"{work.label}, by actions" if whole else work.label
            rows.append([label, *(time.show() if time else "n/a" for time in found)])
    return table(["work", *(f"{c.actions:,} actions" for c in contests)], rows)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


INTRODUCTION = """40 units move, shoot with a die and suffer Wounds, by one fixed script. Before
anything was timed, the states of all three after apply, after replay, after save and load and
at places sought, and of ours and boardgame.io after undoing all of it and after redoing all of
it, were compared by sha256 of one canonical text, and were equal. Medians of five rounds in
turns, each in a new process that has first played a game of 500 actions to warm up; in brackets
the fastest and the slowest round; in bold how many times ours a peer's time is (median of the
rounds' ratios; above 1 ours is faster). Time on the wall. Made by `make bench`."""

MEMORY = """Largest resident memory of a new process that does each section once (but for steps
synced one by one and snapshots): at start, with everything imported and the script read, and
what came on top. All of ours and of boardgame.io's can be undone at that point. One run each."""

BEHIND = """Every line of the tables above in which a peer was better than ours at one length or
more, as the peer's figure in ours: 0.50x is half of it."""

GROWING = "Means over all actions of a game, so what is flat here is linear as a whole."

HOW = """- **Ours**: the `Game` facade on an in-memory ledger, undo policy "free"; every action is
  a row under a hash chain with a digest of the state. Seek is `Game.at`. Replay is `Game.open`:
  both chains checked, recorded facts folded, nothing executed; executing again is `verify`, which
  also compares every event and every state with the record. Save writes the game to an SQLite
  file, load is `Game.open` from it; undo and redo are there at once. The line "synced" plays on an
  SQLite ledger.
- **boardgame.io**: its client without React, local, all actions in one turn, since the end of a
  turn empties its undo stack. Seek is what its debug panel does: from the first state, every
  action in the log through the reducer again; so is replay, so its one figure stands in both
  lines; it has no recorded outcomes to compare with. The state it finds is laid over the client to
  be looked at: going on, undo or redo from there is n/a. Save is state, first state and log as
  JSON in a file, as its file storage keeps them, with the undo stack of whole snapshots; its debug
  panel's own save throws that stack away, which the separate lines show: nothing can be undone
  after that. Its client syncs nothing to disk action by action: n/a.
- **Stock aggregate**: `Aggregate` with `@event`, `Application` with the in-memory store or
  SQLite; the aggregate is held and saved after each action, kinder than its documented
  get-act-save. Seek is `repository.get(version=...)`, replay `repository.get`, save `app.save` of
  the whole game at once. Undo, redo and execution again don't exist: n/a. JSON transcoder: release
  9.5 ships none by msgspec for aggregates, so "with and without" is n/a. Snapshots are off, as by
  default, but for the line that says so.
- **python-chess**: push and pop over random games of a seed, moves found beforehand. A state
  changed in place, no log, no dice, no digest: a marker of what Python can do, no peer. It keeps
  a stack to pop from; redo, seek, replay and files of a stack are n/a."""
