from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

import httpx

from ._event_parser import ServerEvent
from ._io import Io
from ._reconnection import TRANSPORT_ERRORS, Reconnection
from ._streams import resumed_events
from .models import ResourceEvent, WatchedType

T = TypeVar("T")


@dataclass(frozen=True)
class ResourceChange:
    """A change of a resource, without its contents."""

    event_id: str
    """The position in the project's events."""
    type: WatchedType
    id: str
    """The id of the resource; the name of a key pair."""
    change: Literal["created", "updated", "deleted"]
    state: str | None
    """As in the list of the resource; None if it has none, or is deleted."""
    job_id: str | None
    """The job that has made the change, if it is known."""
    fields: ResourceEvent
    """All fields of the event, as the gateway sends them."""


@dataclass(frozen=True)
class Reset:
    """Changes may be missing: read the lists of these types."""

    event_id: str
    types: Sequence[WatchedType]
    change: Literal["reset"] = "reset"


@dataclass(frozen=True)
class WatchedList(Generic[T]):
    """A list, and why it was read."""

    rows: T
    """The rows, or a page of them."""
    changes: list[ResourceChange]
    """The changes since the list was read before; empty if it was read for another reason."""


_BATCH_SECONDS = 0.05
"""Changes within this time after another cost one more read at most."""


async def project_changes(
    io: Io, connect: Callable[[str], Awaitable[httpx.Response]], reconnection: Reconnection, last_event_id: str
) -> AsyncGenerator[list[ResourceChange | Reset], None]:
    """
    What changes in a project, each change once and in order; those that arrive together at once. Without a last
    event, the first connection begins with a `Reset`.
    """
    position = last_event_id

    def take(event: ServerEvent) -> ResourceChange | Reset | None:
        nonlocal position
        is_reset = event.name == "reset" or (event.name == "ready" and position == "")
        position = event.id
        fields = json.loads(event.data)
        if event.name == "":
            known = {name: fields.get(name) for name in ("type", "id", "change", "state", "job_id")}
            return ResourceChange(event_id=event.id, fields=fields, **known)
        return Reset(event.id, fields["types"]) if is_reset else None

    async with aclosing(resumed_events(io, lambda: connect(position), reconnection)) as batches:
        async for batch in batches:
            changes = [change for event in batch if (change := take(event)) is not None]
            if changes:
                yield changes


async def watched_list(
    io: Io,
    changes: AsyncGenerator[list[ResourceChange | Reset], None],
    read: Callable[[], Awaitable[T]],
    repetition: Reconnection,
    of: str | None,
) -> AsyncGenerator[WatchedList[T], None]:
    """
    The list, and the list again after each change, of one resource if the list is part of one. A read that fails
    for the moment is repeated.
    """
    is_first = True
    async with aclosing(changes) as batches:
        async for received in batches:
            batch = [one for one in received if isinstance(one, Reset) or of is None or one.id == of]
            if not batch:
                continue
            # What changes meanwhile, or during the read, arrives together.
            if not is_first:
                await io.timer().wait(_BATCH_SECONDS)
            is_first = False
            while True:
                try:
                    rows = await read()
                except TRANSPORT_ERRORS as error:
                    await repetition.wait(error)
                else:
                    break
            repetition.reset()
            named = [change for change in batch if isinstance(change, ResourceChange)]
            yield WatchedList(rows, named if len(named) == len(batch) else [])
