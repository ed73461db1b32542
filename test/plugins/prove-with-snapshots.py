"""The bed's `prove`, and checks of snapshots behind those of the storage plugins:

    prove-with-snapshots.py BED CLONE [ARGUMENT OF PROVE...]
"""
import importlib.machinery
import importlib.util
import os
import sys

sys.dont_write_bytecode = True
FOLDER = sys.argv.pop(1)
sys.path.insert(0, os.path.join(FOLDER, "lib"))
from plugbed import bed  # noqa: E402

# The bed's program starts when it is loaded. Here it starts with more checks.
start, bed.main = bed.main, lambda command: None
loader = importlib.machinery.SourceFileLoader("prove", os.path.join(FOLDER, "prove"))
prove = importlib.util.module_from_spec(importlib.util.spec_from_loader("prove", loader))
loader.exec_module(prove)
check, wait, SPACE = prove.check, prove.wait, prove.SPACE

GROUP = "snapshot.storage.k8s.io"
SNAPSHOTS = f"/apis/{GROUP}/v1/namespaces/{SPACE}/volumesnapshots"
CONTENTS = f"/apis/{GROUP}/v1/volumesnapshotcontents"


class Storage:
    """A storage service as the user of the cloud sees it."""

    def __init__(self, title, storage_class, mode, service, kind):
        self.title, self.storage_class, self.mode, self.service, self.kind = title, storage_class, mode, service, kind

    def read(self, bench, handle):
        return bench.cloud.want(self.service, "GET", f"/{self.kind}s/{handle}")[self.kind]

    def exists(self, bench, handle, kind=None):
        return bench.cloud.ask(self.service, "GET", f"/{kind or self.kind}s/{handle}")[0] == 200


BLOCK = Storage("block storage", "block-storage", "ReadWriteOnce", "volumev3", "volume")
FILE = Storage("file storage", "file-storage", "ReadWriteMany", "sharev2", "share")


def used(bench, storage, name, **more):
    """The volume of a new claim, when a pod runs with it: its name in the cluster, and its id in the cloud."""
    prove.claim(bench, name, storage.storage_class, storage.mode, **more)
    prove.user(bench, f"{name}-user", name)
    volume = prove.bound(bench, name)
    if not prove.running(bench, f"{name}-user"):
        raise bed.BedError(f"no pod runs with the claim {name}: {bench.events(f'{name}-user')}")
    return volume["metadata"]["name"], volume["spec"]["csi"]["volumeHandle"]


def unused(bench, storage, name, handle):
    """Removes the pod, and waits until the cloud has nothing attached."""
    bench.cluster.want("DELETE", f"/api/v1/namespaces/{SPACE}/pods/{name}-user")
    wait(90, f"{name} is in use", lambda: bench.object("pods", f"{name}-user") is None
         and storage.read(bench, handle)["status"] == "available")


def taken(bench, name, claim):
    """The id of a new snapshot in the cloud."""
    bench.post(SNAPSHOTS, {"kind": "VolumeSnapshot", "metadata": {"name": name}, "spec": {
        "source": {"persistentVolumeClaimName": claim}}})
    status = lambda: bench.get(f"{SNAPSHOTS}/{name}").get("status") or {}  # noqa: E731
    try:
        wait(120, "", lambda: status().get("readyToUse"))
    except bed.BedError:
        raise bed.BedError(f"the snapshot {name} is not ready: {status()} {bench.events(name)}")
    return bench.get(f"{CONTENTS}/{status()['boundVolumeSnapshotContentName']}")["status"]["snapshotHandle"]


def snapshots(bench, storage):
    title, kind = storage.title, storage.kind
    volume, source = used(bench, storage, "source")
    snapshot = taken(bench, "nightly", "source")
    check(f"{title}: a snapshot of a claim in use is ready", True)
    found = bench.cloud.want(storage.service, "GET", f"/snapshots/{snapshot}")["snapshot"]
    print(f"     name {found['name']!r}, metadata {found.get('metadata')}, size {found['size']}")
    check(f"{title}: it is of the claim's {kind}", (found["status"], found[f"{kind}_id"]) == ("available", source), found)

    _, copy = used(bench, storage, "restored", dataSource={"apiGroup": GROUP, "kind": "VolumeSnapshot", "name": "nightly"})
    check(f"{title}: a pod runs with a claim of the snapshot", True)
    restored = storage.read(bench, copy)
    check(f"{title}: its {kind} is made of the snapshot", restored["snapshot_id"] == snapshot, restored)
    mark = bench.facts["claimMarks"][kind]
    check(f"{title}: its {kind} bears the cluster", restored["metadata"].get(mark) == bench.settings["id"], restored["metadata"])
    unused(bench, storage, "restored", copy)
    prove.deleted(bench, f"{title}: what was restored", "restored", lambda: 200 if storage.exists(bench, copy) else 404)

    # The services delete nothing that has a snapshot. The program repeats its request until it has none.
    unused(bench, storage, "source", source)
    bench.cluster.want("DELETE", f"/api/v1/namespaces/{SPACE}/persistentvolumeclaims/source")
    wait(60, "the deletion was not refused", lambda: [e["message"] for e in bench.get(
        f"/api/v1/namespaces/default/events?fieldSelector=involvedObject.name={volume}")["items"] if e["reason"] == "VolumeFailedDelete"])
    check(f"{title}: a {kind} with a snapshot survives its claim", storage.exists(bench, source))
    bench.cluster.want("DELETE", f"{SNAPSHOTS}/nightly")
    wait(120, "the snapshot stays", lambda: not storage.exists(bench, snapshot, "snapshot") and not bench.get(CONTENTS)["items"])
    check(f"{title}: the snapshot goes with its object", True)
    wait(240, f"the {kind} stays", lambda: not storage.exists(bench, source)
         and bench.cluster.ask("GET", f"/api/v1/persistentvolumes/{volume}")[0] == 404)
    check(f"{title}: then the {kind} goes, too", True)


def volumes_have_snapshots(bench):
    snapshots(bench, BLOCK)


def shares_have_snapshots(bench):
    snapshots(bench, FILE)


prove.SUITES["block_csi"].append(prove.guarded(volumes_have_snapshots))
prove.SUITES["file_csi"].append(prove.guarded(shares_have_snapshots))
start(prove.prove)
