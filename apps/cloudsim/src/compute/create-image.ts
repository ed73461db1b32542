import { type JsonObject, stringAt } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { accepted, type Reply } from '../http/operation.ts';
import { denied } from '../http/policy.ts';
import { beginUpload, createImage, finishUpload } from '../image/images.ts';
import type { Image } from '../image/state.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { updateServer } from './power.ts';
import { requireServerState } from './server-state.ts';
import type { Server } from './state.ts';

const UPLOAD_MS = 900;
const GIB = 2 ** 30;

/**
 * Uploads the disk of a server that boots from an image. Of another server, the real service makes an image
 * without data and snapshots of all volumes, if the policy allows it; here it does not.
 */
export function createServerImage(call: ComputeCall, server: Server, input: JsonObject): Reply {
  const { caller, cloud } = call;
  const name = stringAt(input, 'name');
  if (name === undefined)
    throw badRequest("Invalid input for field/attribute createImage. 'name' is a required property");
  if (server.imageId === null) throw denied('os_compute_api:servers:create_image:allow_volume_backed');
  requireServerState(server, 'createImage', ['active', 'stopped', 'paused', 'suspended']);
  const base = cloud.images.images.get(server.imageId);
  const image = createImage(cloud, caller, {
    ...base?.properties,
    image_type: 'snapshot',
    base_image_ref: server.imageId,
    name,
    visibility: 'private',
    disk_format: base?.diskFormat ?? 'raw',
    container_format: base?.containerFormat ?? 'bare',
    min_disk: server.flavor.diskGb,
    min_ram: base?.minRamMb ?? 0,
  });
  updateServer(cloud, server, { taskState: 'image_snapshot' });
  cloud.schedule.after(UPLOAD_MS / 3, startServerImage, server, image);
  return accepted({ image_id: image.id });
}

export function startServerImage(cloud: ComputeCloud, server: Server, image: Image): void {
  beginUpload(image);
  if (server.taskState === 'image_snapshot') updateServer(cloud, server, { taskState: 'image_uploading' });
  cloud.schedule.after((UPLOAD_MS * 2) / 3, finishServerImage, server, image);
}

export function finishServerImage(cloud: ComputeCloud, server: Server, image: Image): void {
  finishUpload(image, server.flavor.diskGb * GIB);
  if (server.taskState === 'image_uploading') updateServer(cloud, server, { taskState: null });
}
