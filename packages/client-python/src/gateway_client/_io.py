"""What differs between the plain and the asynchronous client: sending, reading and waiting."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Generator
from typing import Any, Protocol, TypeVar

import anyio
import httpx

T = TypeVar("T")


class Timer(Protocol):
    def end(self) -> None:
        """Ends the wait early."""

    async def wait(self, seconds: float) -> None: ...


class Io(Protocol):
    def build(self, method: str, url: str, **options: Any) -> httpx.Request: ...

    async def send(self, request: httpx.Request) -> httpx.Response:
        """The response without its body."""

    async def read(self, response: httpx.Response) -> bytes: ...

    def chunks(self, response: httpx.Response) -> AsyncIterator[bytes]: ...

    async def close_response(self, response: httpx.Response) -> None: ...

    def timer(self) -> Timer: ...

    async def close(self) -> None: ...


class AsyncIo:
    def __init__(self, http: httpx.AsyncClient | None) -> None:
        self._is_own = http is None
        self._http = httpx.AsyncClient() if http is None else http

    def build(self, method: str, url: str, **options: Any) -> httpx.Request:
        return self._http.build_request(method, url, **options)

    async def send(self, request: httpx.Request) -> httpx.Response:
        return await self._http.send(request, stream=True, follow_redirects=False)

    async def read(self, response: httpx.Response) -> bytes:
        return await response.aread()

    def chunks(self, response: httpx.Response) -> AsyncIterator[bytes]:
        return response.aiter_bytes()

    async def close_response(self, response: httpx.Response) -> None:
        await response.aclose()

    def timer(self) -> Timer:
        return _AsyncTimer()

    async def close(self) -> None:
        if self._is_own:
            await self._http.aclose()


class PlainIo:
    """Its methods block where those of `AsyncIo` wait, so that a coroutine which uses them never pauses."""

    def __init__(self, http: httpx.Client | None) -> None:
        self._is_own = http is None
        self._http = httpx.Client() if http is None else http

    def build(self, method: str, url: str, **options: Any) -> httpx.Request:
        return self._http.build_request(method, url, **options)

    async def send(self, request: httpx.Request) -> httpx.Response:
        return self._http.send(request, stream=True, follow_redirects=False)

    async def read(self, response: httpx.Response) -> bytes:
        return response.read()

    async def chunks(self, response: httpx.Response) -> AsyncIterator[bytes]:
        for chunk in response.iter_bytes():
            yield chunk

    async def close_response(self, response: httpx.Response) -> None:
        response.close()

    def timer(self) -> Timer:
        return _PlainTimer()

    async def close(self) -> None:
        if self._is_own:
            self._http.close()


class _AsyncTimer:
    def __init__(self) -> None:
        self._ended = anyio.Event()

    def end(self) -> None:
        self._ended.set()

    async def wait(self, seconds: float) -> None:
        with anyio.move_on_after(seconds):
            await self._ended.wait()


class _PlainTimer:
    def __init__(self) -> None:
        self._ended = threading.Event()

    def end(self) -> None:
        self._ended.set()

    async def wait(self, seconds: float) -> None:
        self._ended.wait(min(seconds, threading.TIMEOUT_MAX))


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that never pauses."""
    try:
        coroutine.send(None)
        coroutine.throw(RuntimeError("The plain client takes plain functions: use AsyncGatewayClient with coroutines."))
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("The coroutine has paused twice.")


def iterate(items: AsyncGenerator[T, None]) -> Generator[T, None, None]:
    """The items of a generator that never pauses. Leaving the loop closes the generator."""
    try:
        while True:
            try:
                item = run(items.__anext__())
            except StopAsyncIteration:
                return
            yield item
    finally:
        run(items.aclose())
