from __future__ import annotations

import unittest
from datetime import datetime, timezone

from gateway_client._event_parser import EventParser
from gateway_client._retry_after import retry_after_of

NOW = datetime(1994, 11, 6, 8, 49, 7, tzinfo=timezone.utc).timestamp()


class RetryAfter(unittest.TestCase):
    def test_has_seconds_or_one_of_three_formats_of_dates(self) -> None:
        cases = {
            "7": 7,
            " 0.2 ": 1,
            "Sun, 06 Nov 1994 08:49:37 GMT": 30,
            "Sunday, 06-Nov-94 08:49:37 GMT": 30,
            "Sun Nov  6 08:49:37 1994": 30,
            "Sun, 06 Nov 1994 08:49:00 GMT": 0,
        }

        for value, seconds in cases.items():
            self.assertEqual(retry_after_of({"retry-after": value}, NOW), seconds, value)

    def test_is_none_without_a_time(self) -> None:
        for value in ("", "soon", "-1", "1e3", "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, ", "٣"):
            self.assertIsNone(retry_after_of({"retry-after": value}, NOW), value)
        self.assertIsNone(retry_after_of({}))


class Parser(unittest.TestCase):
    def parse(self, text: bytes, size: int) -> list[tuple[str, str, str]]:
        parser = EventParser()
        chunks = [text[start : start + size] for start in range(0, len(text), size)]
        return [(event.id, event.name, event.data) for chunk in chunks for event in parser.feed(chunk)]

    def test_reads_events_however_they_are_cut(self) -> None:
        text = (
            "\ufeffid: 1\r\nevent: ready\r\ndata: ü\r\ndata:  b\r\n\r\n"
            ": a comment\n\nid: 2\ndata\n\n"
            "id: 3\rdata: c\u2028d\r\rid: 4\ndata: without an end"
        ).encode()

        for size in range(1, len(text) + 1):
            events = self.parse(text, size)
            self.assertEqual(events, [("1", "ready", "ü\n b"), ("2", "", ""), ("3", "", "c\u2028d")], size)

    def test_takes_the_delay_of_the_server_in_seconds(self) -> None:
        parser = EventParser()

        parser.feed(b"retry: soon\nretry: 1500\n\n")

        self.assertEqual(parser.retry, 1.5)


if __name__ == "__main__":
    unittest.main()
