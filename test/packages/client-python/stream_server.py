"""A server that sends its responses in order, and repeats the last one."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Seen:
    line: str
    headers: Message
    body: str


class Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: StreamServer

    def _answer(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(length).decode()
        self.server.seen.append(Seen(f"{self.command} {self.path}", self.headers, body))
        self.server.next_answer()(self)

    do_GET = do_POST = do_DELETE = _answer

    def log_message(self, *_args: object) -> None:
        """Nothing is printed."""

    def send(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def wait_for_end(self) -> None:
        """Returns when the client has disconnected, or the server has stopped."""
        self.close_connection = True
        try:
            while self.connection.recv(1024):
                pass
        except OSError:
            pass
        self.server.left.set()


Answer = Callable[[Connection], None]


class StreamServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, *answers: Answer) -> None:
        super().__init__(("127.0.0.1", 0), Connection)
        self.seen: list[Seen] = []
        self.left = threading.Event()
        self._answers = list(answers)
        self._open: set[socket.socket] = set()
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def next_answer(self) -> Answer:
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    def get_request(self) -> tuple[socket.socket, object]:
        connection, address = super().get_request()
        self._open.add(connection)
        return connection, address

    def handle_error(self, *_args: object) -> None:
        """A client may leave while it gets a response."""

    def stop(self) -> None:
        self.shutdown()
        self._thread.join()
        for connection in self._open:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.server_close()


def stream(text: str, end: str = "ends") -> Answer:
    """An event stream of the job `job-1`, which ends after the text, breaks after it, or stays open."""

    def answer(connection: Connection) -> None:
        connection.send_response(200)
        for name, value in {
            "Content-Type": "text/event-stream",
            "X-Job-Id": "job-1",
            "X-Resource-Id": "resource-1",
            "Transfer-Encoding": "chunked",
        }.items():
            connection.send_header(name, value)
        connection.end_headers()
        connection.send(f"retry: 10\n\n{text}")
        if end == "ends":
            connection.wfile.write(b"0\r\n\r\n")
        if end == "breaks":
            connection.hang_up()
        if end == "stays open":
            connection.wait_for_end()

    return answer


def empty_stream(connection: Connection) -> None:
    connection.send_response(200)
    connection.send_header("Content-Type", "text/event-stream")
    connection.send_header("Content-Length", "0")
    connection.end_headers()


def event(number: int, step: str = "SERVER_CREATING", progress: int = 50) -> str:
    message = {"step": step, "progress": progress, "message": "It continues.", "error": None, "job_id": "job-1"}
    return f"id: {number}\ndata: {json.dumps(message)}\n\n"


def named(name: str, position: str) -> str:
    return f'id: {position}\nevent: {name}\ndata: {{"types":["volume"]}}\n\n'


def change(position: str, resource: str = "volume-1", what: str = "updated") -> str:
    data = {"type": "volume", "id": resource, "change": what, "state": "available", "job_id": None}
    return f"id: {position}\ndata: {json.dumps(data)}\n\n"


def answer_json(status: int, body: object, headers: dict[str, str] | None = None) -> Answer:
    def answer(connection: Connection) -> None:
        text = json.dumps(body).encode()
        connection.send_response(status)
        sent = {"Content-Type": "application/json", "Content-Length": str(len(text)), **(headers or {})}
        for name, value in sent.items():
            connection.send_header(name, value)
        connection.end_headers()
        connection.wfile.write(text)

    return answer


unavailable = answer_json(503, {"detail": "Not now.", "code": "unavailable", "request_id": "req-1"})


def hang_up(connection: Connection) -> None:
    """The connection breaks before there is a response."""
    connection.hang_up()
