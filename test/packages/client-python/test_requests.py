from __future__ import annotations

import asyncio
import json
import pickle
import unittest

import httpx
from both_clients import Gateway, both
from gateway_client import Credentials, GatewayClient, GatewayError, api
from stream_server import Connection, answer_json, hang_up

SESSION = {"token": "token-1", "project_id": "project-1"}


def moved(connection: Connection) -> None:
    connection.send_response(302)
    connection.send_header("Location", "http://127.0.0.1:9/")
    connection.send_header("Content-Length", "0")
    connection.end_headers()


def text(media_type: str, content: bytes) -> object:
    def answer(connection: Connection) -> None:
        connection.send_response(200)
        connection.send_header("Content-Type", media_type)
        connection.send_header("Content-Length", str(len(content)))
        connection.end_headers()
        connection.wfile.write(content)

    return answer


def nothing(connection: Connection) -> None:
    connection.send_response(204)
    connection.end_headers()


class Requests(unittest.TestCase):
    def test_have_no_id_that_a_path_would_leave_out(self) -> None:
        for rule_id in ("", ".", "..", None):
            with self.assertRaises(ValueError):
                api.delete_security_groups_by_sg_id_rules_by_rule_id(sg_id="a", rule_id=rule_id)  # type: ignore

    @both
    def test_carry_token_and_project_of_the_log_in(self, gateway: Gateway) -> None:
        gateway.answers(answer_json(200, SESSION), answer_json(200, []))
        clients = []

        def log_in(client: object) -> object:
            clients.append(client)
            return client.log_in(username="demo", password="demo-secret", user_domain="Physics")  # type: ignore

        gateway.call(log_in, credentials=None)

        self.assertEqual(gateway.lines(), ["POST /api/auth/login"])
        sent = {"username": "demo", "password": "demo-secret", "user_domain": "Physics"}
        self.assertEqual(json.loads(gateway.seen[0].body), sent)
        self.assertEqual(gateway.header("x-auth-token"), [None])
        self.assertEqual(clients[0].credentials, Credentials("token-1", "project-1"))

    @both
    def test_log_in_with_an_application_credential(self, gateway: Gateway) -> None:
        gateway.answers(answer_json(200, SESSION))
        credential = {"id": "credential-1", "secret": "the-secret"}

        gateway.call(lambda client: client.log_in(application_credential=credential), credentials=None)

        self.assertEqual(json.loads(gateway.seen[0].body), {"application_credential": credential})

    def test_continue_a_log_in_with_the_receipt_of_its_first_step(self) -> None:
        unfinished = {"code": "totp_required", "detail": "More", "request_id": "r", "receipt": "v1.sealed"}
        gateway = Gateway(is_async=False)
        gateway.answers(answer_json(401, unfinished), answer_json(200, SESSION))
        self.addCleanup(gateway.stop)
        assert gateway.server is not None

        with GatewayClient(gateway.server.url) as client:
            with self.assertRaises(GatewayError) as raised:
                client.log_in(username="demo", password="demo-secret")
            error = raised.exception
            self.assertEqual((error.code, error.receipt, client.credentials), ("totp_required", "v1.sealed", None))
            client.log_in(receipt=error.receipt or "", passcode="123456")
            self.assertEqual(client.credentials, Credentials("token-1", "project-1"))

        self.assertEqual(json.loads(gateway.seen[1].body), {"receipt": "v1.sealed", "passcode": "123456"})

    @both
    def test_switch_the_project_for_further_requests(self, gateway: Gateway) -> None:
        gateway.answers(answer_json(200, {"token": "token-2", "project_id": "project-2"}))

        session = gateway.call(lambda client: client.switch_project("project-2"))

        self.assertEqual(session["token"], "token-2")
        self.assertEqual(gateway.header("x-auth-token"), ["token-1"])
        self.assertEqual(json.loads(gateway.seen[0].body), {"project_id": "project-2"})

    @both
    def test_have_their_path_query_body_and_key(self, gateway: Gateway) -> None:
        gateway.answers(answer_json(200, {"id": "1"}))

        gateway.call(lambda client: client.request(api.get_instances(name="a b&c", refresh=True)))
        gateway.call(lambda client: client.request(api.delete_keypairs_by_keypair_name("a/b ü")))
        creation = api.post_volumes({"name": "data", "size_gb": 10})
        gateway.call(lambda client: client.request(creation, idempotency_key="key-1"))

        self.assertEqual(
            gateway.lines(),
            [
                "GET /api/instances?refresh=true&name=a+b%26c",
                "DELETE /api/keypairs/a%2Fb%20%C3%BC",
                "POST /api/volumes",
            ],
        )
        self.assertEqual(gateway.header("idempotency-key"), [None, None, "key-1"])
        self.assertEqual(gateway.header("content-type"), [None, None, "application/json"])
        self.assertEqual(json.loads(gateway.seen[2].body), {"name": "data", "size_gb": 10})

    @both
    def test_return_json_text_bytes_or_nothing(self, gateway: Gateway) -> None:
        gateway.answers(
            answer_json(200, [{"id": "1"}]),
            text("text/plain; charset=utf-8", "ü".encode()),
            text("application/octet-stream", b"\x00\xff"),
            nothing,
        )
        bodies = [
            gateway.call(lambda client: client.request(request))
            for request in (
                api.get_images(),
                api.get_metrics(),
                api.get_lite_clusters_by_cluster_id_kubeconfig("cluster-1"),
                api.delete_volumes_by_volume_id("volume-1"),
            )
        ]

        self.assertEqual(bodies, [[{"id": "1"}], "ü", b"\x00\xff", None])

    @both
    def test_raise_an_error_with_what_the_response_says(self, gateway: Gateway) -> None:
        body = {
            "detail": "The size is too large.",
            "code": "invalid_input",
            "request_id": "req-1",
            "errors": [{"field": "body.size_gb", "message": "must be less"}],
            "upstream": {"service": "block storage", "status": 400, "request_id": None},
            "job_id": "job-1",
            "reason": "wrong_state",
            "params": {"state": "error"},
        }
        gateway.answers(answer_json(400, body, {"Retry-After": "7"}))

        with self.assertRaises(GatewayError) as raised:
            gateway.call(lambda client: client.request(api.get_images()))

        error = raised.exception
        self.assertEqual((error.status, error.code, str(error)), (400, "invalid_input", "The size is too large."))
        self.assertEqual((error.errors, error.request_id, error.retry_after), (body["errors"], "req-1", 7))
        self.assertEqual((error.job_id, error.upstream, error.body), ("job-1", body["upstream"], body))
        self.assertEqual((error.reason, error.params), ("wrong_state", {"state": "error"}))
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(copy), vars(copy)), (str(error), vars(error)))

    @both
    def test_raise_an_error_for_responses_that_are_not_from_the_gateway(self, gateway: Gateway) -> None:
        page = text("text/html; charset=utf-8", b"<!doctype html>")
        for answer, expected in (
            (answer_json(502, ["a proxy"], {"X-Request-Id": "req-2"}), ("unexpected_response", "req-2")),
            (moved, ("redirected", None)),
            (page, ("unexpected_response", None)),
        ):
            gateway.answers(answer)

            with self.assertRaises(GatewayError) as raised:
                gateway.call(lambda client: client.request(api.get_images()))

            code, request_id = raised.exception.code, raised.exception.request_id
            self.assertEqual((code, request_id), expected)
            self.assertEqual(len(gateway.seen), 1)

    @both
    def test_raise_the_error_of_a_broken_connection(self, gateway: Gateway) -> None:
        gateway.answers(hang_up)

        with self.assertRaises(httpx.TransportError):
            gateway.call(lambda client: client.request(api.get_images()))

    def test_hide_the_token_in_the_text_of_credentials(self) -> None:
        self.assertNotIn("the-secret", repr(Credentials("the-secret", "project-1")))

    def test_refuse_a_coroutine_in_the_plain_client(self) -> None:
        gateway = Gateway(is_async=False)
        gateway.answers(hang_up)
        self.addCleanup(gateway.stop)

        async def ticket() -> str:
            await asyncio.sleep(0)
            return "ticket-1"

        with self.assertRaisesRegex(RuntimeError, "AsyncGatewayClient"):
            gateway.each(lambda client: client.follow("job-1", ticket=ticket))


class Pages(unittest.TestCase):
    @both
    def test_give_all_items(self, gateway: Gateway) -> None:
        gateway.answers(
            answer_json(200, {"items": [{"id": "1"}, {"id": "2"}], "next_marker": "2", "count": 2}),
            answer_json(200, {"items": [{"id": "2"}, {"id": "3"}], "next_marker": None, "count": 2}),
        )

        jobs = gateway.each(lambda client: client.each_item(api.get_jobs(limit=2, status="failed")))

        self.assertEqual([job["id"] for job in jobs], ["1", "2", "3"])
        first = "GET /api/jobs?limit=2&status=failed"
        self.assertEqual(gateway.lines(), [first, "GET /api/jobs?limit=2&marker=2&status=failed"])

    @both
    def test_begin_again_once_if_the_row_of_the_marker_has_gone(self, gateway: Gateway) -> None:
        unknown = {"code": "invalid_input", "errors": [{"field": "query.marker", "message": "is unknown"}]}
        gateway.answers(
            answer_json(200, [{"id": "1"}, {"id": "2"}]),
            answer_json(400, unknown),
            answer_json(200, [{"id": "1"}, {"id": "3"}]),
            answer_json(200, []),
        )

        rows = gateway.each(lambda client: client.each_row(api.get_volumes(), limit=2))

        self.assertEqual([row["id"] for row in rows], ["1", "2", "3"])
        markers = [None, "2", None, "3"]
        ends = ["" if marker is None else f"&marker={marker}" for marker in markers]
        self.assertEqual(gateway.lines(), [f"GET /api/volumes?limit=2{end}" for end in ends])

    @both
    def test_raise_the_error_if_rows_go_again_and_again(self, gateway: Gateway) -> None:
        unknown = {"code": "invalid_input", "errors": [{"field": "query.marker", "message": "is unknown"}]}
        rows = answer_json(200, [{"id": "1"}, {"id": "2"}])
        gateway.answers(rows, answer_json(400, unknown), rows, answer_json(400, unknown))

        with self.assertRaises(GatewayError):
            gateway.each(lambda client: client.each_row(api.get_volumes(), limit=2))

        self.assertEqual(len(gateway.seen), 4)


if __name__ == "__main__":
    unittest.main()
