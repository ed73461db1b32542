import { setStatus } from '../block-storage/volumes.ts';
import { type JsonObject, stringAt } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { accepted, ok, type Reply } from '../http/operation.ts';
import { canSeeImage } from '../image/images.ts';
import type { Image } from '../image/state.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { markActive, updateServer } from './power.ts';
import { presentServer } from './present-server.ts';
import { requireServerState } from './server-state.ts';
import type { Server } from './state.ts';

const GIB = 2 ** 30;
const REBUILD_MS = 600;
const RESCUE_MS = 400;
/** The first microversions that do so with a server that boots from a volume. */
const REBUILDS_VOLUMES = 93;
const RESCUES_VOLUMES = 87;
/** What an image needs to rescue a server that boots from a volume. */
const RESCUE_PROPERTIES = ['hw_rescue_bus', 'hw_rescue_device'];
const STATES = ['active', 'stopped', 'error'];

/** Fills the boot volume from an image. */
export function rebuildServer(call: ComputeCall, server: Server, input: JsonObject): Reply {
  const { cloud, minor } = call;
  const image = imageIn(call, stringAt(input, 'imageRef'), 'Cannot find image for rebuild');
  const bootVolume = bootVolumeOf(cloud, server);
  if (bootVolume !== undefined && minor < REBUILDS_VOLUMES && bootVolume.imageMetadata?.image_id !== image.id)
    throw badRequest('Unable to rebuild with a different image for a volume-backed server.');
  if (bootVolume !== undefined && bootVolume.sizeGb < image.minDiskGb)
    throw badRequest(
      `Volume is smaller than the minimum size specified in image metadata. Volume size is ${bootVolume.sizeGb * GIB} bytes, minimum size is ${image.minDiskGb * GIB} bytes.`,
    );
  requireServerState(server, 'rebuild', STATES);
  cloud.guests.halt(server);
  updateServer(cloud, server, { taskState: 'rebuilding', status: 'REBUILD', fault: null });
  cloud.schedule.after(REBUILD_MS, finishRebuild, server, image);
  return accepted({ server: { ...presentServer(call, server), adminPass: 'rebuilt' } });
}

export function finishRebuild(cloud: ComputeCloud, server: Server, image: Image): void {
  if (server.taskState !== 'rebuilding') return;
  const bootVolume = bootVolumeOf(cloud, server);
  if (bootVolume === undefined) server.imageId = image.id;
  else if (bootVolume.sizeGb * GIB < (image.sizeBytes ?? 0)) {
    // The block storage service compares the sizes when it has changed the state, and does not set it back.
    setStatus(cloud, bootVolume, 'downloading');
    const message = `Build of instance ${server.id} aborted: Failed to rebuild volume backed instance.`;
    const fault = { code: 500, message, createdMs: cloud.clock.now() };
    updateServer(cloud, server, { status: 'ERROR', vmState: 'error', taskState: null, fault });
    return;
  } else
    bootVolume.imageMetadata = {
      ...bootVolume.imageMetadata,
      image_id: image.id,
      image_name: image.name ?? '',
    };
  markActive(cloud, server);
}

function bootVolumeOf(cloud: ComputeCloud, server: Server) {
  if (server.imageId !== null) return undefined;
  return cloud.blockStorage.volumes.get(server.volumes[0]?.volumeId ?? '');
}

/** Boots the server from another image, with its volumes attached. */
export function rescueServer(call: ComputeCall, server: Server, input: JsonObject): Reply {
  const { cloud, minor } = call;
  const ref = stringAt(input, 'rescue_image_ref');
  const image = ref === undefined ? undefined : imageIn(call, ref, 'Rescue image could not be found');
  requireServerState(server, 'rescue', STATES);
  const isForVolumes =
    minor >= RESCUES_VOLUMES &&
    image !== undefined &&
    RESCUE_PROPERTIES.every((name) => name in image.properties);
  if (server.imageId === null && !isForVolumes)
    throw badRequest(`Instance ${server.id} cannot be rescued: Cannot rescue a volume-backed instance`);
  cloud.guests.halt(server);
  updateServer(cloud, server, { taskState: 'rescuing' });
  cloud.schedule.after(RESCUE_MS, finishRescue, server);
  return ok({ adminPass: stringAt(input, 'adminPass') ?? 'rescued' });
}

export function finishRescue(cloud: ComputeCloud, server: Server): void {
  if (server.taskState !== 'rescuing') return;
  updateServer(cloud, server, { status: 'RESCUE', vmState: 'rescued', taskState: null });
}

export function unrescueServer({ cloud }: ComputeCall, server: Server): Reply {
  requireServerState(server, 'unrescue', ['rescued']);
  updateServer(cloud, server, { taskState: 'unrescuing' });
  cloud.schedule.after(RESCUE_MS, finishUnrescue, server);
  return accepted();
}

export function finishUnrescue(cloud: ComputeCloud, server: Server): void {
  if (server.taskState === 'unrescuing') markActive(cloud, server);
}

function imageIn({ caller, cloud }: ComputeCall, ref: string | undefined, message: string): Image {
  const image = cloud.images.images.get(ref ?? '');
  if (image === undefined || !canSeeImage(caller, image)) throw badRequest(message);
  if (image.status !== 'active') throw badRequest(`Image ${image.id} is not active.`);
  return image;
}
