from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import httpx

from ._io import Io
from ._reconnection import Reconnection
from ._streams import resumed_events

M = TypeVar("M")


@dataclass(frozen=True)
class JobEvent(Generic[M]):
    """An event of a job."""

    id: int
    """The number of the event: 1 for the first event of a job."""
    step: str
    progress: int
    """Percent, from 0 to 100. A failed job keeps its last value: 0 without an event before the failure."""
    message: str
    error: str | None
    """Why the job has failed."""
    code: str | None
    """The kind of failure."""
    job_id: str
    fields: M
    """All fields of the message, as the gateway sends them."""

    @property
    def has_failed(self) -> bool:
        return self.step.upper() == "FAILED"

    @property
    def is_last(self) -> bool:
        """Whether the event is the last of its job: `COMPLETED` or `FAILED`, in lower case for clusters."""
        return self.step.upper() == "COMPLETED" or self.has_failed


async def job_events(
    io: Io,
    connect: Callable[[int], Awaitable[httpx.Response]],
    reconnection: Reconnection,
    last_event_id: int,
) -> AsyncGenerator[JobEvent[Any], None]:
    """The events of a job, each once and in order."""
    last_id = last_event_id
    progress = 0
    stream = resumed_events(
        io,
        lambda: connect(last_id),
        reconnection,
        # The gateway has no event after the job's last event.
        lambda is_empty: is_empty and last_event_id > 0 and last_id == last_event_id,
    )
    async with aclosing(stream) as batches:
        async for batch in batches:
            for received in batch:
                number = int(received.id) if received.id.isdecimal() else 0
                if number <= last_id:
                    continue
                last_id = number
                event = _event_of(number, json.loads(received.data), progress)
                progress = event.progress
                yield event
                if event.is_last:
                    return


def _event_of(number: int, fields: Mapping[str, Any], reached: int) -> JobEvent[Any]:
    step = fields["step"]
    return JobEvent(
        id=number,
        step=step,
        progress=reached if step.upper() == "FAILED" else fields["progress"],
        message=fields["message"],
        error=fields.get("error"),
        code=fields.get("code"),
        job_id=fields["job_id"],
        fields=fields,
    )
