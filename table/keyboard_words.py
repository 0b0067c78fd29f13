"""The words of a keyboard session: what `help` lists, and the closest to a word that is none."""

from __future__ import annotations

from difflib import get_close_matches

from engine.notation import VERBS, LineError
from projections.battle import Battle

WORDS = (
    *("list", "show", "map", "log", "undo", "redo", "grant", "refuse"),
    *("note", "help", "quit", "exit", "save"),
)
"""What is said about the game rather than in it; lines of the notation come besides."""

HELP = """\
Answer with a number from the list, `auto` for the first, or a line. U and V are units, W is a
weapon, U.3 a model; lengths are inches from the south-west corner.

Setting up      zone south | deploy U 10,3 11.2,3
Moving          move U 6,0 | move U toward V 6 | move U away from V 6 | stay
                place U 1:12.5,30 2:13.5,29>13.5,30 | run U | difficult U but 3 4
Shooting        shoot U > V with W | aim 12.5,30 | ground yes | cease fire
Charging        charge U > V + V2 | overwatch with W | overwatch by U | overwatch no
Fighting        fight U | strike U with W by 1 2 | direct U > V 2 + V2 1 by 3
Losses          wound U.3 U.5 | allocate strength 8 ap 2 | check U | fail U
Dice            dice 3 5 1 (or 3 5 1): faces you rolled, when asked for them | reroll yes
                reveal red LINK: a link due from a secret kept elsewhere | offer real dice
Rulings         rule sight U > V no | rule cover U > V 4+ | rule position U 1:12,30
                rule wounds U.3 1 | rule score red 3 | ruling accept, refuse or roll
Going on        end phase | concede, which asks again (`concede yes` does not)

Looking         list: every choice on offer | show: units, places, status
                map [FILE.svg]: the table, here or as a picture | log [all]: what happened
Going back      undo [STEP]: take back a step, or all after STEP | undo action | undo phase
                redo: forward again | @STEP: over to another branch
                past dice or an answer the other player is asked; later: grant | refuse
Besides         note TEXT: write in the margin | help
                quit: save and quit (every step is saved anyway)"""


def check_word(line: str) -> None:
    """Raise LineError naming the closest words where a line begins with none that is known."""
    word = line.split(maxsplit=1)[0]
    said = word.lower()
    if said in VERBS or said[:1].isdecimal():
        return
    close = get_close_matches(said, (*VERBS, *WORDS), 3, 0.6)
    meant = f"did you mean {' or '.join(close)}? " if close else ""
    reason = f"no such word; {meant}`help` lists them all"
    if said in WORDS:
        reason = f"`{said}` is not used like this; `help` shows how"
    raise LineError(line, line.index(word), word, reason)


def meant(line: str, battle: Battle) -> str:
    """Return what to add to a refusal: the ids that the line may have meant, "" for none.

    Only words that are no unit's and no weapon's id are looked at, and only ids close to them.
    """
    ids = {setup.id: None for setup in battle.setups}
    ids |= {weapon.id: None for setup in battle.setups for weapon in setup.weapons}
    found: list[str] = []
    for word in line.lower().replace(">", " ").replace("+", " ").split()[1:]:
        name = word.partition(".")[0]
        if name not in ids:
            found += get_close_matches(name, ids, 1, 0.75)
    return f"; did you mean {' and '.join(found)}?" if found else ""
