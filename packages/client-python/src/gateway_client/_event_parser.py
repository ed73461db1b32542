"""Server-sent events, from bytes."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class ServerEvent:
    id: str
    name: str
    data: str


class EventParser:
    """Takes the chunks of one response. `retry` is the delay that the server asks for, in seconds."""

    def __init__(self) -> None:
        self.retry: float | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._rest = ""
        self._begin()

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        """The events that the chunk completes."""
        text = self._rest + self._decoder.decode(chunk)
        # A line feed may follow in the next chunk.
        held = text[-1:] if text.endswith("\r") else ""
        *lines, rest = _LINE_END.split(text.removesuffix(held) if held else text)
        self._rest = rest + held
        return [event for line in lines if (event := self._take(line)) is not None]

    def _begin(self) -> None:
        self._id = ""
        self._name = ""
        self._data: list[str] = []

    def _take(self, line: str) -> ServerEvent | None:
        if line == "":
            event = ServerEvent(self._id, self._name, "\n".join(self._data)) if self._data else None
            self._begin()
            return event
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "event":
            self._name = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry = int(value) / 1000
        return None
