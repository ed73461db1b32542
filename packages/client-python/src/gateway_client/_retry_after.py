"""The header `Retry-After`, which has a number of seconds or a date."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from datetime import timezone
from email.utils import parsedate_to_datetime
from math import ceil

_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")
_WEEKDAY = re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? ")


def retry_after_of(headers: Mapping[str, str], now: float | None = None) -> int | None:
    """The seconds; 0 for a date that has passed. None without the header, or if it has something else."""
    value = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(value):
        return ceil(float(value))
    if not _WEEKDAY.match(value):
        return None
    try:
        date = parsedate_to_datetime(value)
        # The oldest format of dates has no zone.
        due = date.replace(tzinfo=date.tzinfo or timezone.utc).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0, ceil(due - (time.time() if now is None else now)))
