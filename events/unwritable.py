"""Values that can't be stored, since nothing could read them again: which field and why. [P6]

msgspec checks types only as it reads. So what comes from outside is written and read once, before
it is kept; what that raises is told here in terms of the field.
"""

from __future__ import annotations

from typing import Literal, get_args, get_origin, get_type_hints

import msgspec

from events.values import Army

UNWRITABLE = (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError)
"""What writing a Struct and reading it again raises for a value that doesn't fit its field."""

_AT = " - at `$."


def unwritable(struct: msgspec.Struct, error: Exception) -> tuple[str, str]:
    """Return the field of `struct` that `error` is about, and what is wrong with its value.

    >>> from events.history import Noted
    >>> error = UnicodeEncodeError("utf-8", "\\udcff", 0, 1, "surrogates not allowed")
    >>> unwritable(Noted("red", "\\udcff"), error)
    ('text', "'\\\\udcff' can't be written as UTF-8: character 1 is '\\\\udcff'")
    """
    kind = type(struct).__name__
    if isinstance(error, UnicodeEncodeError):
        text, at = error.object, error.start
        fields = [name for name in struct.__struct_fields__ if getattr(struct, name) == text]
        reason = f"{text!r:.60} can't be written as UTF-8: character {at + 1} is {text[at]!r}"
        return (fields[0] if fields else kind), reason
    reason, at_field, path = str(error).partition(_AT)
    field = path.rstrip("`")
    if not at_field:
        return kind, reason
    if field in struct.__struct_fields__:
        wanted = get_type_hints(type(struct))[field]
        if wanted is Army and isinstance(getattr(struct, field), str):
            reason = "it must be an army: `engine.armies.read_army` reads a roster's file"
        elif get_origin(wanted) is Literal:
            reason = "it must be " + " or ".join(map(repr, get_args(wanted)))
        reason = f"{getattr(struct, field)!r:.60}: {reason}"
    return field, reason
