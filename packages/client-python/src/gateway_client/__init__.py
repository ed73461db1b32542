"""A client of the cloud resource gateway. Its README has the examples."""

from . import api, models
from ._client import Credentials
from ._clients import AsyncGatewayClient, GatewayClient
from ._errors import GatewayError
from ._job_events import JobEvent
from ._reconnection import FollowOptions, Reconnect
from ._requests import JobRequest, PageRequest, Request, RowsRequest, WatchableRequest
from ._watch import Reset, ResourceChange, WatchedList

__all__ = [
    "AsyncGatewayClient",
    "Credentials",
    "FollowOptions",
    "GatewayClient",
    "GatewayError",
    "JobEvent",
    "JobRequest",
    "PageRequest",
    "Reconnect",
    "Request",
    "Reset",
    "ResourceChange",
    "RowsRequest",
    "WatchableRequest",
    "WatchedList",
    "api",
    "models",
]
