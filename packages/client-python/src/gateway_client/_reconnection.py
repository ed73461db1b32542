from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import TypedDict

import httpx

from ._errors import GatewayError
from ._io import Io

_INITIAL_DELAY = 1.0


class FollowOptions(TypedDict, total=False):
    """Options of all that reads an event stream. Times are in seconds."""

    on_reconnect: Callable[[Reconnect], None]
    """Called before each wait for another connection."""
    on_reconnected: Callable[[], None]
    """Called when the gateway is reachable again after `on_reconnect`."""
    max_delay: float
    """The maximum delay before another connection; 30 by default."""
    give_up_after: float
    """How long to retry without reaching the gateway, from the first failure on, before the last error is
    raised; 60 by default, and without a limit for `watch` and `watch_list`."""
    idle_timeout: float
    """A stream without data, even a heartbeat, for this time is replaced; 60 by default."""


@dataclass(frozen=True)
class Reconnect:
    """Why and when a stream reconnects."""

    attempt: int
    """1 for the first attempt since the gateway was last reachable."""
    delay: float
    error: Exception | None
    """None if the gateway ended the stream."""
    try_now: Callable[[], None]
    """Ends the wait. In the plain client, call it from another thread, or from `on_reconnect` itself."""


class Reconnection:
    """
    The waits between the connections of a stream. They double up to a maximum and have jitter, so that the
    clients of a restarted gateway do not return all at once.
    """

    def __init__(
        self,
        io: Io,
        *,
        on_reconnect: Callable[[Reconnect], None] | None = None,
        on_reconnected: Callable[[], None] | None = None,
        max_delay: float = 30.0,
        give_up_after: float = 60.0,
        idle_timeout: float = 60.0,
    ) -> None:
        self.idle_timeout = idle_timeout
        self._io = io
        self._on_reconnect = on_reconnect
        self._on_reconnected = on_reconnected
        self._max_delay = max_delay
        self._give_up_after = give_up_after
        self._base = _INITIAL_DELAY
        self._attempts = 0
        self._failing_since: float | None = None

    def start_at(self, seconds: float) -> None:
        """Sets the first delay, from the gateway's `retry:`."""
        self._base = seconds

    def reset(self) -> None:
        """Call this when the gateway has responded."""
        was_waiting = self._attempts > 0
        self._attempts = 0
        self._failing_since = None
        if was_waiting and self._on_reconnected is not None:
            self._on_reconnected()

    async def wait(self, error: Exception | None) -> None:
        """Returns when the next attempt is due. Raises the error if there should be no further attempt."""
        if error is not None and not is_transient(error):
            raise error
        # The exponent is bounded, because a float is.
        limit = min(self._base * 2 ** min(self._attempts, 64), self._max_delay)
        asked = error.retry_after if isinstance(error, GatewayError) else None
        delay = max(limit / 2 + random.random() * limit / 2, asked or 0)
        now = time.monotonic()
        if self._failing_since is None:
            self._failing_since = now
        if now + delay - self._failing_since > self._give_up_after:
            raise error or ConnectionError("The gateway ends the stream before its last event, again and again.")
        self._attempts += 1
        timer = self._io.timer()
        if self._on_reconnect is not None:
            self._on_reconnect(Reconnect(self._attempts, delay, error, timer.end))
        await timer.wait(delay)


def is_transient(error: Exception) -> bool:
    """
    Whether another attempt may succeed: the connection broke, the gateway asks for a delay, or the failure may
    be temporary. Maintenance is not: a person decides when to send a change again.
    """
    if isinstance(error, GatewayError):
        if error.code == "read_only":
            return False
        return error.status >= 500 or error.status in (408, 429) or error.code == "idempotency_in_progress"
    return not isinstance(error, httpx.UnsupportedProtocol)


TRANSPORT_ERRORS = (GatewayError, httpx.RequestError, OSError)
"""What is thrown where the network or the gateway fails, also by a function that fetches a ticket."""

UNLIMITED = inf
