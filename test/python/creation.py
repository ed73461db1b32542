"""
Creates an instance, and prints its events and reconnections as lines of JSON. The arguments are the gateway's
address and a log-in as JSON.
"""

import json
import sys

from gateway_client import GatewayClient, api

url, login = sys.argv[1:]
gateway = GatewayClient(url)
gateway.log_in(**json.loads(login))
image = next(row for row in gateway.request(api.get_images()) if row["name"] == "debian-12")
flavor = next(row for row in gateway.request(api.get_flavors()) if row["name"] == "m1.tiny")
creation = api.post_instances_async(
    {"name": "e2e-python", "image_id": image["id"], "flavor_id": flavor["id"], "boot_volume_size_gb": 1}
)


def show(line: dict[str, object]) -> None:
    print(json.dumps(line), flush=True)


for event in gateway.start(creation, on_reconnect=lambda reconnect: show({"attempt": reconnect.attempt})):
    show({"id": event.id, "step": event.step, "error": event.error})
