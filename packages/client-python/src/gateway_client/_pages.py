"""Lists that are read page by page."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TypeVar

from ._errors import GatewayError

R = TypeVar("R")

ReadPart = Callable[[str | None], Awaitable[tuple[list[R], str | None]]]
"""The rows after a marker, and the marker of the next ones."""


async def each_part(read: ReadPart[R], marker_of: Callable[[R], str]) -> AsyncGenerator[R, None]:
    """
    All rows of a list. If the row after which a part begins has gone meanwhile, the list is read again from its
    start, once, without the rows that were already returned.
    """
    returned: set[str] = set()
    marker: str | None = None
    may_restart = True
    while True:
        try:
            rows, next_marker = await read(marker)
        except GatewayError as error:
            if marker is None or not may_restart or not _is_unknown_marker(error):
                raise
            may_restart = False
            marker = None
            continue
        for row in rows:
            if (key := marker_of(row)) not in returned:
                returned.add(key)
                yield row
        if next_marker is None:
            return
        marker = next_marker


def _is_unknown_marker(error: GatewayError) -> bool:
    return any(invalid.get("field") == "query.marker" for invalid in error.errors)
