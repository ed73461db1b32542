from __future__ import annotations

import asyncio
import threading
import unittest

from both_clients import Gateway, both
from gateway_client import Credentials, GatewayClient, GatewayError, Reconnect, api
from stream_server import answer_json, empty_stream, event, hang_up, stream, unavailable

REQUEST = api.post_instances_async({"name": "first", "image_id": "image-1", "flavor_id": "flavor-1"})


class JobEvents(unittest.TestCase):
    @both
    def test_resume_after_a_broken_short_or_rejected_connection(self, gateway: Gateway) -> None:
        gateway.answers(
            stream(event(1) + event(2), "breaks"),
            unavailable,
            hang_up,
            stream(": the server is shutting down, please reconnect\n\n"),
            stream(event(2) + event(3) + event(4, "COMPLETED"), "stays open"),
        )

        events = gateway.each(lambda client: client.start(REQUEST, max_delay=0.02))

        self.assertEqual([one.id for one in events], [1, 2, 3, 4])
        self.assertTrue(events[-1].is_last)
        self.assertEqual(gateway.lines()[1:], ["GET /api/jobs/job-1/events"] * 4)
        self.assertEqual(gateway.header("last-event-id")[1:], ["2"] * 4)
        self.assertEqual(set(gateway.header("x-auth-token")), {"token-1"})
        self.assertEqual(set(gateway.header("x-project-id")), {"project-1"})

    @both
    def test_end_with_the_last_event_of_a_cluster_in_lower_case(self, gateway: Gateway) -> None:
        gateway.answers(stream(event(1, "failed"), "stays open"))

        events = gateway.each(lambda client: client.follow("job-1"))

        self.assertEqual([(one.id, one.has_failed) for one in events], [(1, True)])

    @both
    def test_repeat_a_creation_after_a_lost_response_with_key_and_body(self, gateway: Gateway) -> None:
        gateway.answers(hang_up, unavailable, stream(event(1, "COMPLETED")))
        named: list[str] = []

        gateway.each(
            lambda client: client.start(REQUEST, on_job=named.append, on_resource=named.append, max_delay=0.02)
        )

        self.assertEqual(named, ["job-1", "resource-1"])
        self.assertEqual(gateway.lines(), ["POST /api/instances/async"] * 3)
        self.assertEqual(len({(seen.body, seen.headers["idempotency-key"]) for seen in gateway.seen}), 1)
        self.assertTrue(gateway.header("idempotency-key")[0])

    @both
    def test_use_a_new_key_for_each_creation(self, gateway: Gateway) -> None:
        gateway.answers(stream(event(1, "COMPLETED")))

        gateway.each(lambda client: client.start(REQUEST))
        gateway.each(lambda client: client.start(REQUEST))

        self.assertEqual(len(set(gateway.header("idempotency-key"))), 2)

    @both
    def test_use_the_credentials_of_the_moment_when_they_resume(self, gateway: Gateway) -> None:
        gateway.answers(stream(event(1), "breaks"), stream(event(2, "COMPLETED")))

        def renew(client: GatewayClient, _event: object) -> None:
            client.credentials = Credentials("token-2", "project-1")

        gateway.each(lambda client: client.follow("job-1"), then=renew)

        self.assertEqual(gateway.header("x-auth-token"), ["token-1", "token-2"])

    @both
    def test_stay_in_their_project_after_a_switch(self, gateway: Gateway) -> None:
        gateway.answers(stream(event(1), "breaks"), stream(event(2, "COMPLETED")))

        def switch(client: GatewayClient, _event: object) -> None:
            client.credentials = Credentials("token-2", "project-2")

        gateway.each(lambda client: client.start(REQUEST), then=switch)

        self.assertEqual(gateway.header("x-auth-token"), ["token-1", "token-2"])
        self.assertEqual(gateway.header("x-project-id"), ["project-1", "project-1"])

    @both
    def test_use_a_new_ticket_for_each_connection_and_no_headers(self, gateway: Gateway) -> None:
        gateway.answers(stream(event(6), "breaks"), stream(event(7, "COMPLETED")))
        tickets = iter(["ticket-1", "ticket-2"])

        events = gateway.each(
            lambda client: client.follow("job-1", last_event_id=5, ticket=lambda: next(tickets))
        )

        self.assertEqual([one.id for one in events], [6, 7])
        self.assertEqual(
            gateway.lines(),
            [
                "GET /api/jobs/job-1/events?ticket=ticket-1&last_event_id=5",
                "GET /api/jobs/job-1/events?ticket=ticket-2&last_event_id=6",
            ],
        )
        self.assertEqual(gateway.header("x-auth-token") + gateway.header("last-event-id"), [None] * 4)

    @both
    def test_report_waits_for_another_connection_and_their_end(self, gateway: Gateway) -> None:
        gateway.answers(
            stream(event(1), "breaks"),
            unavailable,
            stream(event(2), "breaks"),
            stream(event(3, "COMPLETED")),
        )
        reports: list[str] = []

        gateway.each(
            lambda client: client.follow(
                "job-1",
                on_reconnect=lambda reconnect: reports.append(f"waits {reconnect.attempt}"),
                on_reconnected=lambda: reports.append("connected"),
                max_delay=0.02,
            ),
            then=lambda _client, one: reports.append(f"event {one.id}"),
        )

        self.assertEqual(
            reports,
            ["event 1", "waits 1", "waits 2", "connected", "event 2", "waits 1", "connected", "event 3"],
        )

    @both
    def test_connect_at_once_when_the_program_asks_for_it(self, gateway: Gateway) -> None:
        gateway.answers(stream(f"retry: 30000\n\n{event(1)}", "breaks"), stream(event(2, "COMPLETED")))
        delays: list[float] = []

        def now(reconnect: Reconnect) -> None:
            delays.append(reconnect.delay)
            reconnect.try_now()

        # Without it the test would end by its time limit.
        events = gateway.each(lambda client: client.follow("job-1", on_reconnect=now))

        self.assertEqual([one.id for one in events], [1, 2])
        self.assertEqual(len(delays), 1)
        self.assertGreaterEqual(delays[0], 15)

    @both
    def test_keep_the_progress_that_a_failed_job_had_reached(self, gateway: Gateway) -> None:
        gateway.answers(
            stream(event(1) + event(2, "VOLUME_CREATING", 70), "breaks"), stream(event(3, "FAILED", -1))
        )

        events = gateway.each(lambda client: client.follow("job-1"))
        [only] = gateway.each(lambda client: client.follow("job-1", last_event_id=2))

        self.assertEqual([(one.progress, one.has_failed) for one in events], [(50, False), (70, False), (70, True)])
        self.assertEqual((only.progress, only.fields["progress"]), (0, -1), "nothing came before")

    @both
    def test_wait_as_the_gateway_asks_with_jitter_doubling_each_time(self, gateway: Gateway) -> None:
        gateway.answers(
            stream(f"retry: 40\n\n{event(1)}", "breaks"), hang_up, hang_up, stream(event(2, "COMPLETED"))
        )
        delays: list[float] = []

        gateway.each(lambda client: client.follow("job-1", on_reconnect=lambda one: delays.append(one.delay)))

        self.assertEqual(len(delays), 3)
        for index, delay in enumerate(delays):
            limit = 0.04 * 2**index
            self.assertTrue(limit / 2 <= delay <= limit, f"{delay} of {limit}")

    @both
    def test_wait_as_long_as_an_error_response_asks(self, gateway: Gateway) -> None:
        busy = answer_json(429, {"code": "rate_limited"}, {"Retry-After": "1"})
        gateway.answers(stream(event(1), "breaks"), busy, stream(event(2, "COMPLETED")))
        reconnects: list[Reconnect] = []

        gateway.each(lambda client: client.follow("job-1", on_reconnect=reconnects.append))

        self.assertEqual([one.attempt for one in reconnects], [1, 2])
        self.assertEqual(reconnects[1].delay, 1)
        error = reconnects[1].error
        self.assertTrue(isinstance(error, GatewayError) and error.code == "rate_limited")

    @both
    def test_replace_a_connection_that_has_fallen_silent(self, gateway: Gateway) -> None:
        gateway.answers(stream(event(1), "stays open"), stream(event(2, "COMPLETED")))

        events = gateway.each(lambda client: client.follow("job-1", idle_timeout=0.05))

        self.assertEqual([one.id for one in events], [1, 2])

    @both
    def test_replace_it_also_after_more_silence_than_the_time_of_trying(self, gateway: Gateway) -> None:
        gateway.answers(stream(event(1), "stays open"), stream(event(2, "COMPLETED")))

        events = gateway.each(lambda client: client.follow("job-1", idle_timeout=0.3, give_up_after=0.2))

        self.assertEqual([one.id for one in events], [1, 2])

    @both
    def test_raise_an_error_that_another_attempt_would_repeat(self, gateway: Gateway) -> None:
        ended = {"detail": "The session has ended.", "code": "session_expired", "request_id": "req-1"}
        gateway.answers(stream(event(1), "breaks"), answer_json(401, ended))

        with self.assertRaises(GatewayError) as raised:
            gateway.each(lambda client: client.follow("job-1"))

        error = raised.exception
        self.assertEqual((error.status, error.code, str(error)), (401, "session_expired", "The session has ended."))

    @both
    def test_raise_the_last_error_when_the_gateway_cannot_be_reached_for_long(self, gateway: Gateway) -> None:
        for headers in ({}, {"Retry-After": "soon"}, {"Retry-After": "Tue, 02 Dec 2025 07:28:00 GMT"}):
            gateway.answers(stream(event(1), "breaks"), answer_json(503, {"code": "unavailable"}, headers))

            with self.assertRaises(GatewayError) as raised:
                gateway.each(lambda client: client.follow("job-1", give_up_after=0.3, max_delay=0.05))

            self.assertEqual(raised.exception.code, "unavailable")
            self.assertLess(len(gateway.seen), 50)

    @both
    def test_raise_at_once_if_the_gateway_asks_for_a_longer_wait(self, gateway: Gateway) -> None:
        later = answer_json(503, {"code": "unavailable"}, {"Retry-After": "Tue, 02 Dec 2098 07:28:00 GMT"})
        gateway.answers(stream(event(1), "breaks"), later)

        with self.assertRaises(GatewayError):
            gateway.each(lambda client: client.follow("job-1"))

        self.assertEqual(len(gateway.seen), 2)

    @both
    def test_raise_at_once_while_the_gateway_is_read_only(self, gateway: Gateway) -> None:
        gateway.answers(answer_json(503, {"detail": "Maintenance.", "code": "read_only"}))

        with self.assertRaises(GatewayError) as raised:
            gateway.each(lambda client: client.follow("job-1"))

        self.assertEqual((raised.exception.code, str(raised.exception)), ("read_only", "Maintenance."))
        self.assertEqual(len(gateway.seen), 1)

    @both
    def test_end_at_once_for_a_job_whose_last_event_is_known(self, gateway: Gateway) -> None:
        gateway.answers(empty_stream)

        self.assertEqual(gateway.each(lambda client: client.follow("job-1", last_event_id=9)), [])

    @both
    def test_disconnect_when_the_loop_is_left(self, gateway: Gateway) -> None:
        gateway.answers(stream(event(1), "stays open"))

        # The client is not closed before the loop is left.
        gateway.each(lambda client: client.follow("job-1"), count=1, at_end=gateway.wait_until_left)

    @both
    def test_raise_what_the_program_raises_in_its_loop(self, gateway: Gateway) -> None:
        gateway.answers(stream(event(1), "stays open"))

        def fail(_client: object, _event: object) -> None:
            raise OSError("the disk is full")

        with self.assertRaisesRegex(OSError, "the disk is full"):
            gateway.each(lambda client: client.follow("job-1"), then=fail)

        self.assertEqual(len(gateway.seen), 1)


class PlainClient(unittest.TestCase):
    def setUp(self) -> None:
        self.gateway = Gateway(is_async=False)
        self.gateway.answers(stream(f"retry: 30000\n\n{event(1)}", "breaks"), stream(event(2, "COMPLETED")))
        self.addCleanup(self.gateway.stop)

    def follow(self) -> list[int]:
        def later(reconnect: Reconnect) -> None:
            threading.Thread(target=reconnect.try_now).start()

        return [one.id for one in self.gateway.each(lambda client: client.follow("job-1", on_reconnect=later))]

    def test_ends_a_wait_from_another_thread(self) -> None:
        self.assertEqual(self.follow(), [1, 2])

    def test_works_where_an_event_loop_runs_as_in_notebooks(self) -> None:
        async def main() -> list[int]:
            return self.follow()

        self.assertEqual(asyncio.run(main()), [1, 2])


if __name__ == "__main__":
    unittest.main()
