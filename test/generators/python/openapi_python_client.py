"""One call of every kind with the client of openapi-python-client."""

import os
import uuid

from gateway_client_of_python import AuthenticatedClient, Client
from gateway_client_of_python.api.auth import post_auth_login
from gateway_client_of_python.api.cloud_files import get_auth_openrc
from gateway_client_of_python.api.images import get_images
from gateway_client_of_python.api.jobs import get_jobs_by_job_id, get_jobs_by_job_id_events
from gateway_client_of_python.api.keypairs import post_keypairs
from gateway_client_of_python.api.volumes import post_volumes
from gateway_client_of_python.models import CreateVolume, Error, JobStatus, PostAuthLoginBody, PostKeypairsBody

url = os.environ["GATEWAY_URL"]
login = post_auth_login.sync(
    client=Client(base_url=url), body=PostAuthLoginBody(username="demo", password="demo-secret")
)
client = AuthenticatedClient(
    base_url=url,
    token=login.token,
    auth_header_name="X-Auth-Token",
    prefix="",
    headers={"X-Project-Id": login.project_id},
    timeout=60,
)

images = get_images.sync(client=client, name="ubuntu-22.04")
assert [image.name for image in images] == ["ubuntu-22.04"]
assert images[0].created_at.tzinfo is not None

volume = post_volumes.sync(client=client, body=CreateVolume(name=f"größe-{uuid.uuid4()}", size_gb=1))
assert volume.status in ("creating", "available") and volume.managed_by is None

wanted = PostKeypairsBody(name=f"key-{uuid.uuid4()}")
assert post_keypairs.sync(client=client, body=wanted).name == wanted.name
refused = post_keypairs.sync_detailed(client=client, body=wanted)
assert refused.status_code == 409
assert isinstance(refused.parsed, Error) and refused.parsed.code == "conflict"

assert "OS_AUTH_URL" in get_auth_openrc.sync(client=client)

# The creation as a job, whose events are a text that ends with the job.
body = CreateVolume(name=f"stream-{uuid.uuid4()}", size_gb=1)
job = post_volumes.sync(client=client, body=body, prefer="respond-async")
assert '"step":"COMPLETED"' in get_jobs_by_job_id_events.sync(job.id, client=client)
assert get_jobs_by_job_id.sync(job.id, client=client).status == JobStatus.COMPLETED
