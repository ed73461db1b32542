from __future__ import annotations

import unittest

import httpx
from both_clients import Gateway, both
from gateway_client import GatewayClient, GatewayError, api
from stream_server import Connection, answer_json, change, hang_up, named, stream, unavailable


class Watch(unittest.TestCase):
    @both
    def test_begins_with_a_reset_and_resumes_after_the_last_event(self, gateway: Gateway) -> None:
        gateway.answers(
            stream(named("ready", "1-0") + change("2-0"), "breaks"),
            unavailable,
            hang_up,
            stream(": the server is shutting down, please reconnect\n\n"),
            stream(named("ready", "2-0") + change("3-0", "volume-2"), "breaks"),
            stream(named("reset", "9-0") + change("10-0"), "stays open"),
        )

        events = gateway.each(lambda client: client.watch(types=["volume"], max_delay=0.02), count=5)

        self.assertEqual(
            [(one.event_id, one.change) for one in events],
            [("1-0", "reset"), ("2-0", "updated"), ("3-0", "updated"), ("9-0", "reset"), ("10-0", "updated")],
        )
        self.assertEqual(set(gateway.lines()), {"GET /api/events?types=volume"})
        self.assertEqual(gateway.header("last-event-id"), [None, "2-0", "2-0", "2-0", "2-0", "3-0"])

    @both
    def test_has_the_fields_of_a_change(self, gateway: Gateway) -> None:
        gateway.answers(stream(named("ready", "1-0") + change("2-0"), "stays open"))

        reset, event = gateway.each(lambda client: client.watch(), count=2)

        self.assertEqual(reset.types, ["volume"])
        known = (event.type, event.id, event.change, event.state, event.job_id)
        self.assertEqual(known, ("volume", "volume-1", "updated", "available", None))
        self.assertEqual(gateway.lines(), ["GET /api/events"])

    @both
    def test_continues_after_an_event_from_before_with_a_ticket(self, gateway: Gateway) -> None:
        gateway.answers(stream(named("ready", "7-0") + change("8-0"), "stays open"))

        [first] = gateway.each(
            lambda client: client.watch(last_event_id="7-0", ticket=lambda: "ticket-1"), count=1
        )

        self.assertEqual(first.event_id, "8-0")
        self.assertEqual(gateway.lines(), ["GET /api/events?ticket=ticket-1&last_event_id=7-0"])
        self.assertEqual(gateway.header("x-auth-token"), [None])

    @both
    def test_raises_when_the_session_has_ended(self, gateway: Gateway) -> None:
        ended = answer_json(401, {"detail": "Over.", "code": "session_expired", "request_id": "req-1"})
        gateway.answers(stream(named("ready", "1-0"), "breaks"), ended)

        with self.assertRaises(GatewayError) as raised:
            gateway.each(lambda client: client.watch(max_delay=0.02), count=2)

        self.assertEqual(raised.exception.code, "session_expired")

    @both
    def test_does_not_give_up_by_itself(self, gateway: Gateway) -> None:
        much_later = answer_json(503, {"code": "unavailable"}, {"Retry-After": "300"})
        gateway.answers(stream(named("ready", "1-0"), "breaks"), much_later, stream(change("2-0"), "stays open"))

        events = gateway.each(lambda client: client.watch(on_reconnect=lambda one: one.try_now()), count=2)

        self.assertEqual([one.event_id for one in events], ["1-0", "2-0"])

    @both
    def test_gives_a_list_and_the_list_again_after_changes_with_one_read(self, gateway: Gateway) -> None:
        opened: list[Connection] = []

        def events(connection: Connection) -> None:
            opened.append(connection)
            stream(named("ready", "1-0"), "stays open")(connection)

        gateway.answers(
            events,
            answer_json(200, [{"id": "volume-1"}]),
            unavailable,
            answer_json(200, [{"id": "volume-1"}, {"id": "volume-2"}]),
        )
        # After a reset, others may have changed, too.
        sent = [change("2-0") + change("3-0", "volume-2", "created"), named("reset", "4-0") + change("5-0")]

        def write(_client: object, _list: object) -> None:
            if sent:
                opened[0].send(sent.pop(0))

        lists = gateway.each(
            lambda client: client.watch_list(api.get_volumes(refresh=False), max_delay=0.02), 3, write
        )

        self.assertEqual(
            [([row["id"] for row in one.rows], [event.id for event in one.changes]) for one in lists],
            [
                (["volume-1"], []),
                (["volume-1", "volume-2"], ["volume-1", "volume-2"]),
                (["volume-1", "volume-2"], []),
            ],
        )
        read = "GET /api/volumes?refresh=false"
        self.assertEqual(gateway.lines(), ["GET /api/events?types=volume", read, read, read, read])

    def test_reads_a_list_with_its_time_limit(self) -> None:
        limits = []

        def answer(request: httpx.Request) -> httpx.Response:
            if request.url.path == "/api/events":
                return httpx.Response(200, text=named("ready", "1-0"))
            limits.append(request.extensions["timeout"]["read"])
            return httpx.Response(200, json=[])

        with httpx.Client(transport=httpx.MockTransport(answer)) as http:
            client = GatewayClient("http://gateway.test", http=http)
            for _list in client.watch_list(api.get_volumes(), idle_timeout=7):
                break

        self.assertEqual(limits, [7])

    @both
    def test_reads_the_list_of_one_resource_after_its_changes(self, gateway: Gateway) -> None:
        opened: list[Connection] = []

        def events(connection: Connection) -> None:
            opened.append(connection)
            stream(named("ready", "1-0"), "stays open")(connection)

        gateway.answers(events, answer_json(200, []))

        def write(_client: object, _list: object) -> None:
            opened[0].send(change("2-0", "balancer-2"))
            opened[0].send(change("3-0", "balancer-1"))

        lists = gateway.each(
            lambda client: client.watch_list(api.get_loadbalancers_by_lb_id_pools("balancer-1")), 2, write
        )

        self.assertEqual([[one.id for one in listed.changes] for listed in lists], [[], ["balancer-1"]])
        read = "GET /api/loadbalancers/balancer-1/pools"
        self.assertEqual(gateway.lines(), ["GET /api/events?types=load_balancer", read, read])

    @both
    def test_disconnects_when_the_loop_over_a_list_is_left(self, gateway: Gateway) -> None:
        gateway.answers(stream(named("ready", "1-0"), "stays open"), answer_json(200, []))

        [only] = gateway.each(
            lambda client: client.watch_list(api.get_volumes()), count=1, at_end=gateway.wait_until_left
        )

        self.assertEqual((only.rows, only.changes), ([], []))


if __name__ == "__main__":
    unittest.main()
