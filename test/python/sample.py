"""A program that uses the package. A `type: ignore` is an error that strict mypy has to find."""

from __future__ import annotations

import sys
from typing import Any

from typing_extensions import assert_type

from gateway_client import AsyncGatewayClient, GatewayClient, GatewayError, JobEvent, Reconnect, Reset, api
from gateway_client.models import Instance, InstanceMessage, Job, TokenResponse, Volume


def plain(gateway: GatewayClient) -> None:
    assert_type(gateway.log_in(username="demo", password="demo-secret"), TokenResponse)
    gateway.log_in(application_credential={"id": "1", "secret": "2"})
    assert_type(gateway.request(api.get_instances(refresh=True)), list[Instance])
    assert_type(gateway.request(api.delete_instances_by_instance_id("1")), None)
    assert_type(gateway.request(api.get_lite_clusters_by_cluster_id_kubeconfig("1")), bytes)
    assert_type(gateway.request(api.get_metrics()), str)
    for job in gateway.each_item(api.get_jobs(status="failed")):
        assert_type(job, Job)
    for row in gateway.each_row(api.get_volumes(), limit=10):
        assert_type(row, Volume)
    for listed in gateway.watch_list(api.get_instances(), max_delay=1):
        assert_type(listed.rows, list[Instance])
    for page in gateway.watch_list(api.get_jobs(status="running")):
        assert_type(page.rows["items"], list[Job])
    for change in gateway.watch(types=["instance", "job"]):
        known: str = ",".join(change.types) if isinstance(change, Reset) else change.id
        print(known)
    creation = api.post_instances_async({"name": "first", "image_id": "1", "flavor_id": "2"})
    for event in gateway.start(creation, on_job=print, on_reconnect=show):
        assert_type(event, JobEvent[InstanceMessage])
        assert_type(event.fields["instance_id"], str | None)
    try:
        gateway.request(api.post_volumes({"name": "data", "size_gb": 10}), idempotency_key="key")
    except GatewayError as error:
        print(error.code, error.status, error.errors, error.retry_after, error.request_id)


async def asynchronous(gateway: AsyncGatewayClient) -> None:
    assert_type(await gateway.request(api.get_instances()), list[Instance])
    async for event in gateway.follow("1", last_event_id=3, ticket=ticket):
        assert_type(event.progress, int)
    async for row in gateway.each_row(api.get_volumes()):
        assert_type(row, Volume)


async def ticket() -> str:
    return "ticket"


def show(reconnect: Reconnect) -> None:
    print(reconnect.attempt, reconnect.delay, reconnect.error)
    reconnect.try_now()


def wrong(gateway: GatewayClient, value: Any) -> None:
    api.get_nothing()  # type: ignore[attr-defined]
    api.get_instances_by_instance_id()  # type: ignore[call-arg]
    api.get_instances(nam="x")  # type: ignore[call-arg]
    api.post_volumes({"size_gb": 10})  # type: ignore[typeddict-item]
    api.post_volumes({"name": "data", "size_gb": "10"})  # type: ignore[typeddict-item]
    api.get_jobs(status="unknown")  # type: ignore[arg-type]
    gateway.log_in(user="demo")  # type: ignore[call-arg]
    gateway.start(api.post_volumes(value))  # type: ignore[arg-type]
    gateway.watch_list(api.get_flavors())  # type: ignore[arg-type]
    gateway.watch(types=["nothing"])  # type: ignore[list-item]
    gateway.follow("1", ticket=ticket)  # type: ignore[arg-type]
    gateway.follow("1", max_delays=1)  # type: ignore[call-arg]


if __name__ == "__main__":
    plain(GatewayClient(sys.argv[1]))
