"""The client, written once: what the plain and the asynchronous one share."""

from __future__ import annotations

import secrets
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from inspect import isawaitable
from typing import Any, TypeVar, cast

import httpx

from . import api
from ._errors import error_of, is_page
from ._io import Io
from ._job_events import JobEvent, job_events
from ._pages import each_part
from ._reconnection import UNLIMITED, FollowOptions, Reconnection
from ._requests import JobRequest, PageRequest, Request, RowsRequest, Scalar, WatchableRequest, path_segment, target_of
from ._watch import Reset, ResourceChange, WatchedList, project_changes, watched_list
from .models import PostAuthLoginBody, TokenResponse, WatchedType

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    from typing_extensions import Unpack

T = TypeVar("T")
R = TypeVar("R")

Ticket = Callable[[], str | Awaitable[str]]

_CONNECT_SECONDS = 10.0
_READ_SECONDS = 60.0
_WRITE_SECONDS = 930.0
"""A creation that waits for its job is answered within 15 minutes."""


@dataclass(frozen=True)
class Credentials:
    token: str = field(repr=False)
    project_id: str


class Client:
    """What both clients do, with an `Io` that waits or blocks."""

    credentials: Credentials | None
    """
    The credentials of all further requests, including those that resume streams. Streams stay in the project in
    which they have begun.
    """

    def __init__(self, io: Io, url: str, credentials: Credentials | None) -> None:
        self.credentials = credentials
        self._io = io
        self._url = url.rstrip("/")

    async def close(self) -> None:
        """Closes the connections, except those of an `http` of your own."""
        await self._io.close()

    async def log_in(self, **body: Unpack[PostAuthLoginBody]) -> TokenResponse:
        """
        Logs in, and uses the token and its project for further requests: with `username` and `password`, or with
        an `application_credential`. If the user needs a passcode as well, the `GatewayError` has the code
        `totp_required` and a `receipt`: then log in with `receipt` and `passcode`.
        """
        return self._use(await self.request(api.post_auth_login(body)))

    async def switch_project(self, project_id: str) -> TokenResponse:
        """Switches to another project of `GET /api/auth/projects`, for all further requests."""
        return self._use(await self.request(api.post_auth_token({"project_id": project_id})))

    async def request(
        self, request: Request[T], *, idempotency_key: str | None = None, timeout: float | None = None
    ) -> T:
        """
        Sends a request of `api`, and returns the body of the response. A POST with the same key and body can be
        sent again when its response is lost: it takes effect once. The timeout is the longest silence in seconds,
        by default a minute for reads, and as long as the gateway may wait for a job for others.
        """
        limit = timeout or (_READ_SECONDS if request.method == "GET" else _WRITE_SECONDS)
        headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
        return await self._body(request, headers, self.credentials, limit)

    def start(
        self,
        request: JobRequest[T],
        *,
        idempotency_key: str | None = None,
        on_job: Callable[[str], None] | None = None,
        on_resource: Callable[[str], None] | None = None,
        **options: Unpack[FollowOptions],
    ) -> AsyncGenerator[JobEvent[T], None]:
        """
        Starts a job, and follows it. If the response is lost, the request is repeated, which starts no second job.
        `on_job` is called with the id of the job when the gateway has accepted the request, and `on_resource` with
        the id of what the job creates or changes, if it is known then.
        """
        reconnection = Reconnection(self._io, **options)
        headers = {"Idempotency-Key": idempotency_key or secrets.token_hex(16)}
        project_id = self._project_id()
        job_id: str | None = None

        async def connect(last_event_id: int) -> httpx.Response:
            nonlocal job_id
            if job_id is not None:
                return await self._follow_job(job_id, last_event_id, None, project_id, reconnection)
            # In another project, the same key would start a second job.
            known = self._credentials_in(project_id)
            response = await self._send(request, headers, known, reconnection.idle_timeout)
            job_id = response.headers.get("x-job-id")
            if job_id is None:
                await self._io.close_response(response)
                raise RuntimeError("The response lacks the header X-Job-Id.")
            if on_job is not None:
                on_job(job_id)
            resource_id = response.headers.get("x-resource-id")
            if resource_id is not None and on_resource is not None:
                on_resource(resource_id)
            return response

        return job_events(self._io, connect, reconnection, 0)

    def follow(
        self,
        job_id: str,
        *,
        last_event_id: int = 0,
        ticket: Ticket | None = None,
        **options: Unpack[FollowOptions],
    ) -> AsyncGenerator[JobEvent[Mapping[str, Any]], None]:
        """
        Follows a job from its first event, or from the event after `last_event_id`. A `ticket` is fetched for
        each connection, which then needs no credentials. Leaving the loop does not stop the job.
        """
        reconnection = Reconnection(self._io, **options)
        project_id = self._project_id()
        return job_events(
            self._io,
            lambda last_id: self._follow_job(job_id, last_id, ticket, project_id, reconnection),
            reconnection,
            last_event_id,
        )

    def watch(
        self,
        *,
        types: Sequence[WatchedType] | None = None,
        last_event_id: str = "",
        ticket: Ticket | None = None,
        **options: Unpack[FollowOptions],
    ) -> AsyncGenerator[ResourceChange | Reset, None]:
        """
        What changes in the project, without an end, also after a switch to another one. Read your lists after the
        first event, which is a `Reset`.
        """
        return _each(self._changes(types, last_event_id, ticket, options))

    def watch_list(
        self, request: WatchableRequest[T], **options: Unpack[FollowOptions]
    ) -> AsyncGenerator[WatchedList[T], None]:
        """A list, and the list again after each change of its rows."""
        types = [cast(WatchedType, request.watched)]
        changes = self._changes(types, "", None, options)
        repetition = Reconnection(self._io, max_delay=options.get("max_delay", 30.0), give_up_after=UNLIMITED)
        timeout = options.get("idle_timeout") or _READ_SECONDS
        project_id = self._project_id()

        async def read() -> T:
            return await self._body(request, {}, self._credentials_in(project_id), timeout)

        return watched_list(self._io, changes, read, repetition, request.of)

    def each_item(self, request: PageRequest[Any, R]) -> AsyncGenerator[R, None]:
        """All rows of a list with pages, read page by page."""

        async def read(marker: str | None) -> tuple[list[R], str | None]:
            page = await self.request(replace(request, query={**request.query, "marker": marker}))
            return page["items"], page["next_marker"]

        return each_part(read, lambda row: _text_of(row, "id"))

    def each_row(
        self, request: RowsRequest[R], *, limit: int = 100, marker: str = "id"
    ) -> AsyncGenerator[R, None]:
        """All rows of a list, read in parts. `marker` is the field that identifies a row."""

        async def read(after: str | None) -> tuple[list[R], str | None]:
            part = {**request.query, "limit": limit, "marker": after}
            rows = await self.request(replace(request, query=part))
            return rows, _text_of(rows[-1], marker) if len(rows) >= limit else None

        return each_part(read, lambda row: _text_of(row, marker))

    def _use(self, session: TokenResponse) -> TokenResponse:
        self.credentials = Credentials(token=session["token"], project_id=session["project_id"])
        return session

    def _project_id(self) -> str | None:
        return None if self.credentials is None else self.credentials.project_id

    def _credentials_in(self, project_id: str | None) -> Credentials | None:
        """The credentials of the moment, in the project in which something has begun."""
        if self.credentials is None or project_id is None:
            return self.credentials
        return replace(self.credentials, project_id=project_id)

    def _changes(
        self,
        types: Sequence[WatchedType] | None,
        last_event_id: str,
        ticket: Ticket | None,
        options: FollowOptions,
    ) -> AsyncGenerator[list[ResourceChange | Reset], None]:
        following: FollowOptions = {"give_up_after": UNLIMITED, **options}
        reconnection = Reconnection(self._io, **following)
        query = {"types": None if types is None else ",".join(types)}
        project_id = self._project_id()
        return project_changes(
            self._io,
            lambda position: self._follow("/api/events", query, position, ticket, project_id, reconnection),
            reconnection,
            last_event_id,
        )

    async def _follow_job(
        self,
        job_id: str,
        last_event_id: int,
        ticket: Ticket | None,
        project_id: str | None,
        reconnection: Reconnection,
    ) -> httpx.Response:
        position = str(last_event_id) if last_event_id > 0 else ""
        path = f"/api/jobs/{path_segment(job_id)}/events"
        return await self._follow(path, {}, position, ticket, project_id, reconnection)

    async def _follow(
        self,
        path: str,
        query: Mapping[str, Scalar],
        position: str,
        ticket: Ticket | None,
        project_id: str | None,
        reconnection: Reconnection,
    ) -> httpx.Response:
        """Requests a stream after an event, '' for the first one."""
        if ticket is None:
            headers = {"Last-Event-ID": position} if position else {}
            request = Request[None]("GET", path, query)
            known = self._credentials_in(project_id)
            return await self._send(request, headers, known, reconnection.idle_timeout)
        fetched = ticket()
        sent = {"ticket": await fetched if isawaitable(fetched) else fetched, "last_event_id": position or None}
        resuming = Request[None]("GET", path, {**query, **sent})
        return await self._send(resuming, {}, None, reconnection.idle_timeout)

    async def _body(
        self, request: Request[T], headers: Mapping[str, str], credentials: Credentials | None, timeout: float
    ) -> T:
        response = await self._send(request, headers, credentials, timeout)
        try:
            return cast(T, _body_of(response, await self._io.read(response)))
        finally:
            await self._io.close_response(response)

    async def _send(
        self,
        request: Request[Any] | JobRequest[Any],
        headers: Mapping[str, str],
        credentials: Credentials | None,
        timeout: float,
    ) -> httpx.Response:
        """The response, whose body is not read yet. Raises a `GatewayError` for an error response."""
        known = (
            {}
            if credentials is None
            else {"X-Auth-Token": credentials.token, "X-Project-Id": credentials.project_id}
        )
        response = await self._io.send(
            self._io.build(
                request.method,
                self._url + target_of(request.path, request.query),
                headers={**known, **headers},
                timeout=httpx.Timeout(timeout, connect=min(timeout, _CONNECT_SECONDS)),
                **({} if request.body is None else {"json": request.body}),
            )
        )
        if response.is_success and not is_page(response):
            return response
        try:
            content = await self._io.read(response)
        finally:
            await self._io.close_response(response)
        raise error_of(response, content)


async def _each(batches: AsyncGenerator[list[T], None]) -> AsyncGenerator[T, None]:
    async with aclosing(batches):
        async for batch in batches:
            for item in batch:
                yield item


def _body_of(response: httpx.Response, content: bytes) -> object:
    """JSON, text, bytes for other media types, or None for no body."""
    media_type = response.headers.get("content-type")
    if media_type is None:
        return None
    if media_type.startswith("application/json"):
        return cast(object, response.json())
    return response.text if media_type.startswith("text/") else content


def _text_of(row: object, name: str) -> str:
    return str(cast(Mapping[str, Any], row)[name])
