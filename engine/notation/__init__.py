"""One notation for every choice: a short line that people write, programs read and books print.

The same lines stand at the keyboard, in scenarios, logs and bug reports. Words are separated by
spaces; U and V are unit ids, W is a weapon id (slugs of a-z, 0-9 and hyphens), N is a model's
number, lengths and places are inches with up to three decimals from the south-west corner:

    zone south                             take the southern zone (or north)
    deploy U 10,3 11.2,3                   put a unit on the table, one place a model
    move U 6,0                             move every model of a unit 6 inches east
    place U 1:12.5,30 2:13.5,29>13.5,30    move models one by one, along waypoints
    difficult U but 3 4                    take the test to move U into difficult terrain; some stay
    stay                                   make no move where it is optional
    run U                                  Run instead of shooting
    shoot U > V with W by 1 2 3            fire a weapon group; without "by" all that can
    aim 12.5,30                            where a blast marker goes, or a template toward
    reroll yes, reroll no                  roll the dice again, or let them stand
    ground yes, ground no                  Go to Ground before the saves, or not
    cease fire                             fire no further weapon group
    charge U > V + V2                      declare a charge; the first target is primary
    overwatch with W, overwatch no         fire Overwatch, or not (any more)
    overwatch by U                         which of several charged units fires next
    fight U                                fight this unit's combat next
    strike U with W by 1 2                 choose a melee weapon; without "by" all who carry it
    direct U > V 2 + V2 1 by 3             whom models strike; without a number with all attacks
    allocate strength 8 ap 2               which Wounds of several kinds come next; they may be
                                           precise (by a Precision Shot) and coverless, too
    check U, fail U                        take a unit's Morale check next, or fail it outright
    wound U.3 U.5                          who takes the Wounds, in this order
    rule sight U > V no                    propose a ruling; also cover U > V 4+,
                                           position U 1:12,30, wounds U.3 1, score red 3
    ruling accept                          answer it; also refuse, or roll: a die decides
    offer real dice                        where a link is due: roll real dice from here on
    real dice yes, real dice no            answer that
    end phase                              act no more in this phase
    concede                                give up the game

Dice that people roll are entered as ``dice 3 5 1``, a link that a side reveals is ``reveal red``
and its 64 digits. `resolve` knows macros too, which become one
of the lines above before anything is chosen:

    move U toward V 6                      the longest legal move toward V, up to 6 inches
    move U away from V 6                   and away from it
    auto                                   the first choice on offer
    3                                      the third choice on offer

>>> from engine.notation import read, write
>>> read("place boyz 1:12.5,30 2:13.5,29>13.5,30").places[1]
Place(model=2, path=(Point(x=13500, y=29000), Point(x=13500, y=30000)))
>>> write(read("charge boyz > warriors + lootas"))
'charge boyz > warriors + lootas'

A line that can't be read raises `LineError`, a NotationError that points at the word:

>>> from engine.notation import LineError
>>> try:
...     read("move boyz 6;0")
... except LineError as error:
...     print(error.caret())
move boyz 6;0
          ^ a place or vector in inches, such as 12.5,30, is right here
"""

from engine.notation.describe import describe
from engine.notation.lengths import point_in_inches, to_inches, to_mils, to_point
from engine.notation.lines import Dice, LineError, Reveal
from engine.notation.macros import resolve
from engine.notation.read import VERBS, read, read_line
from engine.notation.write import write

__all__ = [
    "VERBS",
    "Dice",
    "LineError",
    "Reveal",
    "describe",
    "point_in_inches",
    "read",
    "read_line",
    "resolve",
    "to_inches",
    "to_mils",
    "to_point",
    "write",
]
