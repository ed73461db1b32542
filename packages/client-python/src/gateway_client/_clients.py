"""The two clients: the asynchronous one, and the plain one, which blocks in its place."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, TypeVar

import httpx

from ._client import Client, Credentials, Ticket
from ._io import AsyncIo, PlainIo, iterate, run
from ._job_events import JobEvent
from ._reconnection import FollowOptions
from ._requests import JobRequest, PageRequest, Request, RowsRequest, WatchableRequest
from ._watch import Reset, ResourceChange, WatchedList
from .models import PostAuthLoginBody, TokenResponse, WatchedType

if sys.version_info >= (3, 11):
    from typing import Self, Unpack
else:
    from typing_extensions import Self, Unpack

T = TypeVar("T")
R = TypeVar("R")


class AsyncGatewayClient(Client):
    """A client of the gateway for asyncio. `http` has settings of your own, such as certificates."""

    def __init__(
        self, url: str, *, credentials: Credentials | None = None, http: httpx.AsyncClient | None = None
    ) -> None:
        super().__init__(AsyncIo(http), url, credentials)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()


class GatewayClient:
    """A client of the gateway. `http` has settings of your own, such as certificates."""

    def __init__(
        self, url: str, *, credentials: Credentials | None = None, http: httpx.Client | None = None
    ) -> None:
        self._client = Client(PlainIo(http), url, credentials)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def credentials(self) -> Credentials | None:
        """The credentials of all further requests, including those that resume streams."""
        return self._client.credentials

    @credentials.setter
    def credentials(self, credentials: Credentials | None) -> None:
        self._client.credentials = credentials

    def close(self) -> None:
        """As that of `AsyncGatewayClient`."""
        run(self._client.close())

    def log_in(self, **body: Unpack[PostAuthLoginBody]) -> TokenResponse:
        """As that of `AsyncGatewayClient`."""
        return run(self._client.log_in(**body))

    def switch_project(self, project_id: str) -> TokenResponse:
        """As that of `AsyncGatewayClient`."""
        return run(self._client.switch_project(project_id))

    def request(
        self, request: Request[T], *, idempotency_key: str | None = None, timeout: float | None = None
    ) -> T:
        """As that of `AsyncGatewayClient`."""
        return run(self._client.request(request, idempotency_key=idempotency_key, timeout=timeout))

    def start(
        self,
        request: JobRequest[T],
        *,
        idempotency_key: str | None = None,
        on_job: Callable[[str], None] | None = None,
        on_resource: Callable[[str], None] | None = None,
        **options: Unpack[FollowOptions],
    ) -> Generator[JobEvent[T], None, None]:
        """As that of `AsyncGatewayClient`."""
        return iterate(
            self._client.start(
                request, idempotency_key=idempotency_key, on_job=on_job, on_resource=on_resource, **options
            )
        )

    def follow(
        self,
        job_id: str,
        *,
        last_event_id: int = 0,
        ticket: Callable[[], str] | None = None,
        **options: Unpack[FollowOptions],
    ) -> Generator[JobEvent[Mapping[str, Any]], None, None]:
        """As that of `AsyncGatewayClient`."""
        return iterate(self._client.follow(job_id, last_event_id=last_event_id, ticket=ticket, **options))

    def watch(
        self,
        *,
        types: Sequence[WatchedType] | None = None,
        last_event_id: str = "",
        ticket: Callable[[], str] | None = None,
        **options: Unpack[FollowOptions],
    ) -> Generator[ResourceChange | Reset, None, None]:
        """As that of `AsyncGatewayClient`."""
        return iterate(
            self._client.watch(types=types, last_event_id=last_event_id, ticket=ticket, **options)
        )

    def watch_list(
        self, request: WatchableRequest[T], **options: Unpack[FollowOptions]
    ) -> Generator[WatchedList[T], None, None]:
        """As that of `AsyncGatewayClient`."""
        return iterate(self._client.watch_list(request, **options))

    def each_item(self, request: PageRequest[Any, R]) -> Generator[R, None, None]:
        """As that of `AsyncGatewayClient`."""
        return iterate(self._client.each_item(request))

    def each_row(
        self, request: RowsRequest[R], *, limit: int = 100, marker: str = "id"
    ) -> Generator[R, None, None]:
        """As that of `AsyncGatewayClient`."""
        return iterate(self._client.each_row(request, limit=limit, marker=marker))
