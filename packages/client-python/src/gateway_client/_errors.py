from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx

from ._retry_after import retry_after_of

_REDIRECTS = (301, 302, 303, 307, 308)
_REDIRECTED = {
    "code": "redirected",
    "detail": "The address of the gateway redirects to another one, which was not contacted."
    " Please correct the address.",
}

_PAGE = {"detail": "A page for browsers has answered, and not the gateway. Please correct the address of the gateway."}


class GatewayError(Exception):
    """An error response of the gateway."""

    status: int
    """The HTTP status."""
    code: str
    """The stable name of the kind of error. `redirected` for a redirect, which is never followed;
    `unexpected_response` for another response that is not from the gateway, for example of a proxy."""
    detail: str
    """What went wrong, in words that can be shown to a user."""
    reason: str | None
    """Why a `conflict` refuses: one of a closed list; None for other codes."""
    params: Mapping[str, Any]
    """The values of the sentence, such as `quota`, `requested`, `in_use` and `limit`; empty if there are none."""
    errors: list[dict[str, str]]
    """The invalid fields of the request, each with `field` and `message`."""
    retry_after: int | None
    """The seconds to wait at least before the next request; None if the response does not say."""
    request_id: str | None
    """Identifies the request in the logs of the gateway and of the cloud; None for a response of others."""
    job_id: str | None
    """The job that continues after the request has timed out."""
    receipt: str | None
    """Continues a log-in that needs a passcode as well (`totp_required`). A secret."""
    upstream: dict[str, Any] | None
    """The cloud service that has refused the call or failed."""
    body: Mapping[str, Any]
    """The whole body of the response."""

    def __init__(self, status: int, headers: Mapping[str, str], body: Mapping[str, Any]) -> None:
        self.status = status
        self.body = body
        self.detail = body.get("detail") or f"The response has the status {status}."
        self.code = body.get("code") or "unexpected_response"
        self.reason = body.get("reason")
        self.params = body.get("params") or {}
        self.errors = body.get("errors") or []
        self.retry_after = retry_after_of(headers)
        self.request_id = body.get("request_id") or headers.get("x-request-id")
        self.job_id = body.get("job_id")
        self.receipt = body.get("receipt")
        self.upstream = body.get("upstream")
        self._headers = dict(headers)
        super().__init__(self.detail)

    def __reduce__(self) -> tuple[Any, ...]:
        """What `pickle` stores. An error that cannot be read again breaks a pool of processes."""
        return type(self), (self.status, self._headers, self.body)


def error_of(response: httpx.Response, content: bytes) -> GatewayError:
    if response.status_code in _REDIRECTS:
        return GatewayError(response.status_code, response.headers, _REDIRECTED)
    if response.is_success:
        return GatewayError(response.status_code, response.headers, _PAGE)
    try:
        body = json.loads(content)
    except ValueError:
        body = None
    return GatewayError(response.status_code, response.headers, body if isinstance(body, dict) else {})


def is_page(response: httpx.Response) -> bool:
    """Whether the server of a dashboard, or a proxy, has answered in place of the gateway."""
    return bool(response.headers.get("content-type", "").startswith("text/html"))
