"""Requests as values: what an endpoint takes, and the type of its response."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from urllib.parse import quote, urlencode

T = TypeVar("T")
R = TypeVar("R")

Scalar = str | int | float | bool | None


@dataclass(frozen=True)
class Request(Generic[T]):
    """A request whose response has the type `T`. The functions of `api` return one for each endpoint."""

    method: str
    path: str
    query: Mapping[str, Scalar] = field(default_factory=dict)
    body: object = None


@dataclass(frozen=True)
class RowsRequest(Request[list[R]], Generic[R]):
    """A list with `limit` and `marker`, for `each_row`."""


@dataclass(frozen=True)
class PageRequest(Request[T], Generic[T, R]):
    """A page `T` of rows `R`, for `each_item`."""


@dataclass(frozen=True)
class WatchableRequest(Request[T], Generic[T]):
    """A list `T` whose changes can be watched, for `watch_list`."""

    watched: str = ""
    """The type of the events that say so."""
    of: str | None = None
    """The resource that the list is part of, such as the load balancer of a pool; None for all rows."""


@dataclass(frozen=True)
class WatchableRowsRequest(RowsRequest[R], WatchableRequest[list[R]], Generic[R]):
    """A list for `each_row` and `watch_list`."""


@dataclass(frozen=True)
class WatchablePageRequest(PageRequest[T, R], WatchableRequest[T], Generic[T, R]):
    """A page for `each_item` and `watch_list`."""


@dataclass(frozen=True)
class JobRequest(Generic[T]):
    """A request that starts a job, whose messages have the type `T`, for `start`."""

    method: str
    path: str
    query: Mapping[str, Scalar] = field(default_factory=dict)
    body: object = None


def path_segment(value: object) -> str:
    # Without such a segment, the path is that of another resource.
    if value is None or str(value) in ("", ".", ".."):
        raise ValueError(f"A parameter of the path is {value!r}.")
    return quote(str(value), safe="")


def target_of(path: str, query: Mapping[str, Scalar]) -> str:
    """The path with its query. Fields without a value are omitted."""
    fields = {name: _text(value) for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(fields)}" if fields else path


def _text(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
