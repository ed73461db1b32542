"""Runs a test with the plain and with the asynchronous client."""

from __future__ import annotations

import asyncio
import functools
import unittest
from collections.abc import Callable
from typing import Any

from gateway_client import AsyncGatewayClient, Credentials, GatewayClient
from stream_server import Answer, StreamServer

CREDENTIALS = Credentials(token="token-1", project_id="project-1")


class Gateway:
    """A fake gateway with a client of one of the two kinds."""

    def __init__(self, is_async: bool) -> None:
        self._is_async = is_async
        self.server: StreamServer | None = None

    def answers(self, *answers: Answer) -> None:
        self.stop()
        self.server = StreamServer(*answers)

    def stop(self) -> None:
        if self.server is not None:
            self.server.stop()

    @property
    def seen(self) -> list[Any]:
        assert self.server is not None
        return self.server.seen

    def lines(self) -> list[str]:
        return [seen.line for seen in self.seen]

    def header(self, name: str) -> list[str | None]:
        return [seen.headers[name] for seen in self.seen]

    def call(self, action: Callable[[Any], Any], credentials: Credentials | None = CREDENTIALS) -> Any:
        """The result of a method of the client."""
        assert self.server is not None
        url = self.server.url
        if not self._is_async:
            with GatewayClient(url, credentials=credentials) as client:
                return action(client)

        async def main() -> Any:
            async with AsyncGatewayClient(url, credentials=credentials) as client:
                return await action(client)

        return asyncio.run(main())

    def each(
        self,
        action: Callable[[Any], Any],
        count: int | None = None,
        then: Callable[[Any, Any], None] = lambda client, item: None,
        at_end: Callable[[], None] = lambda: None,
    ) -> list[Any]:
        """
        The items of a loop, which is left after `count` items. `then` is called for each of them, and `at_end`
        before the client is closed.
        """
        assert self.server is not None
        url = self.server.url
        items: list[Any] = []
        if not self._is_async:
            with GatewayClient(url, credentials=CREDENTIALS) as client:
                for item in action(client):
                    items.append(item)
                    then(client, item)
                    if len(items) == count:
                        break
                at_end()
            return items

        async def main() -> None:
            async with AsyncGatewayClient(url, credentials=CREDENTIALS) as client:
                async for item in action(client):
                    items.append(item)
                    then(client, item)
                    if len(items) == count:
                        break
                await asyncio.to_thread(at_end)

        asyncio.run(main())
        return items

    def wait_until_left(self) -> None:
        """Waits until the client has disconnected from a stream."""
        assert self.server is not None and self.server.left.wait(10)


def both(test: Callable[[Any, Gateway], None]) -> Callable[[unittest.TestCase], None]:
    @functools.wraps(test)
    def run(case: unittest.TestCase) -> None:
        for is_async in (False, True):
            with case.subTest("asynchronous" if is_async else "plain"):
                gateway = Gateway(is_async)
                try:
                    test(case, gateway)
                finally:
                    gateway.stop()

    return run
