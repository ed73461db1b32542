"""One call of every kind with the client of openapi-generator's `python`."""

import os
import uuid

import gatewayapi
from gatewayapi.exceptions import ConflictException

client = gatewayapi.ApiClient(gatewayapi.Configuration(host=os.environ["GATEWAY_URL"]))
login = gatewayapi.AuthApi(client).post_auth_login(
    gatewayapi.PostAuthLoginRequest(username="demo", password="demo-secret")
)
client.configuration.api_key["token"] = login.token
client.configuration.api_key["project"] = login.project_id

images = gatewayapi.ImagesApi(client).get_images(name="ubuntu-22.04")
assert [image.name for image in images] == ["ubuntu-22.04"]
assert images[0].created_at.tzinfo is not None

volume = gatewayapi.VolumesApi(client).post_volumes(
    gatewayapi.CreateVolume(name=f"größe-{uuid.uuid4()}", size_gb=1)
)
assert volume.status in ("creating", "available") and volume.managed_by is None

keypairs = gatewayapi.KeypairsApi(client)
wanted = gatewayapi.PostKeypairsRequest(name=f"key-{uuid.uuid4()}", key_type=gatewayapi.KeypairTypeName.SSH)
assert keypairs.post_keypairs(wanted).name == wanted.name
try:
    keypairs.post_keypairs(wanted)
    raise AssertionError("the key pair was created twice")
except ConflictException as error:
    assert error.data.code == "conflict", error.data

assert "OS_AUTH_URL" in gatewayapi.CloudFilesApi(client).get_auth_openrc()

# The creation as a job, whose events are a text that ends with the job.
job = gatewayapi.VolumesApi(client).post_volumes(
    gatewayapi.CreateVolume(name=f"stream-{uuid.uuid4()}", size_gb=1), prefer="respond-async"
)
jobs = gatewayapi.JobsApi(client)
assert '"step":"COMPLETED"' in jobs.get_jobs_by_job_id_events(job.id)
assert jobs.get_jobs_by_job_id(job.id).status == gatewayapi.JobStatus.COMPLETED
