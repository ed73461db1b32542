"""Streams of events over any number of connections."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

import httpx

from ._event_parser import EventParser, ServerEvent
from ._io import Io
from ._reconnection import TRANSPORT_ERRORS, Reconnection

async def resumed_events(
    io: Io,
    connect: Callable[[], Awaitable[httpx.Response]],
    reconnection: Reconnection,
    is_over: Callable[[bool], bool] = lambda is_empty: False,
) -> AsyncGenerator[list[ServerEvent], None]:
    """
    The events of a stream, those that arrive together at once. The reader keeps the position at which `connect`
    continues. `is_over` says whether a stream that the gateway has ended has no more events; it is called with
    whether the stream had not a byte.
    """
    while True:
        error: Exception | None = None
        is_empty = True
        parser = EventParser()
        try:
            async with aclosing(_chunks(io, await connect())) as chunks:
                async for chunk in chunks:
                    is_empty = False
                    reconnection.reset()
                    events = parser.feed(chunk)
                    if parser.retry is not None:
                        reconnection.start_at(parser.retry)
                    if events:
                        yield events
        except TRANSPORT_ERRORS as raised:
            error = raised
        if error is None and is_over(is_empty):
            return
        await reconnection.wait(error)


async def _chunks(io: Io, response: httpx.Response) -> AsyncGenerator[bytes, None]:
    try:
        async for chunk in io.chunks(response):
            yield chunk
    finally:
        await io.close_response(response)
