import { attachVolume, detachVolume, reserveVolume } from '../block-storage/attachments.ts';
import type { Volume } from '../block-storage/state.ts';
import { findVolume, setStatus } from '../block-storage/volumes.ts';
import { newUuid } from '../common/ids.ts';
import { booleanAt, envelope, pythonRepr, stringAt } from '../common/json.ts';
import { badRequest, notFound } from '../common/service-error.ts';
import { accepted, type Operation, ok, operation, type Reply } from '../http/operation.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { deviceName } from './create-server.ts';
import { requireUnlocked } from './lock.ts';
import { malformed } from './requests.ts';
import { requireServerState } from './server-state.ts';
import { findServer } from './servers.ts';
import type { Server, ServerVolume } from './state.ts';

const ATTACH_MS = 300;
const DETACH_MS = 300;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ATTACHABLE = ['active', 'stopped', 'paused', 'suspended', 'shelved', 'shelved_offloaded', 'resized'];

function present(server: Server, mapping: ServerVolume, minor: number): object {
  return {
    ...(minor < 89 ? { id: mapping.volumeId } : {}),
    volumeId: mapping.volumeId,
    serverId: server.id,
    device: mapping.device,
    ...(minor >= 70 ? { tag: mapping.tag } : {}),
    ...(minor >= 79 ? { delete_on_termination: mapping.deleteOnTermination } : {}),
    ...(minor >= 89 ? { attachment_id: mapping.attachmentId, bdm_uuid: mapping.mappingId } : {}),
  };
}

function list(call: ComputeCall): Reply {
  const server = findServer(call);
  return ok({ volumeAttachments: server.volumes.map((mapping) => present(server, mapping, call.minor)) });
}

function target(call: ComputeCall): { server: Server; mapping: ServerVolume } {
  const server = findServer(call);
  const volumeId = call.params.volume ?? '';
  const mapping = server.volumes.find((candidate) => candidate.volumeId === volumeId);
  if (mapping === undefined) throw notFound(`Instance ${server.id} is not attached to volume ${volumeId}`);
  return { server, mapping };
}

function get(call: ComputeCall): Reply {
  const { server, mapping } = target(call);
  return ok({ volumeAttachment: present(server, mapping, call.minor) });
}

/** Responds with the device at once; the volume becomes in-use later. */
function attach(call: ComputeCall): Reply {
  const { cloud, caller, minor } = call;
  const server = findServer(call);
  const input = envelope(call.body, 'volumeAttachment', malformed);
  const volumeId = stringAt(input, 'volumeId') ?? '';
  if (input.delete_on_termination !== undefined && minor < 79)
    throw badRequest(
      `Invalid input for field/attribute volumeAttachment. Value: ${pythonRepr(input)}. Additional properties are not allowed ('delete_on_termination' was unexpected)`,
    );
  if (!UUID.test(volumeId))
    throw badRequest(
      `Invalid input for field/attribute volumeId. Value: ${volumeId}. ${pythonRepr(volumeId)} is not a 'uuid'`,
    );
  const volume = findVolume(cloud, caller, volumeId);
  requireUnlocked(call, server);
  requireServerState(server, 'attach_volume', ATTACHABLE);
  reserveVolume(cloud, volume, server.id);
  const mapping: ServerVolume = {
    volumeId,
    device: freeDevice(server),
    deleteOnTermination: booleanAt(input, 'delete_on_termination', false),
    attachmentId: null,
    mappingId: newUuid(),
    tag: stringAt(input, 'tag') ?? null,
  };
  server.volumes.push(mapping);
  cloud.schedule.after(ATTACH_MS / 3, startAttachment, server, mapping, volume);
  return ok({
    volumeAttachment: {
      id: volumeId,
      serverId: server.id,
      volumeId,
      device: mapping.device,
      ...(minor >= 70 ? { tag: mapping.tag } : {}),
      ...(minor >= 79 ? { delete_on_termination: mapping.deleteOnTermination } : {}),
    },
  });
}

export function startAttachment(
  cloud: ComputeCloud,
  server: Server,
  mapping: ServerVolume,
  volume: Volume,
): void {
  if (volume.status === 'reserved') setStatus(cloud, volume, 'attaching');
  cloud.schedule.after((ATTACH_MS * 2) / 3, finishAttachment, server, mapping, volume);
}

export function finishAttachment(
  cloud: ComputeCloud,
  server: Server,
  mapping: ServerVolume,
  volume: Volume,
): void {
  if (volume.status === 'attaching')
    mapping.attachmentId = attachVolume(cloud, volume, server.id, mapping.device);
}

/** The first unused device name. A server booted from an image uses the first name for its root disk. */
function freeDevice(server: Server): string {
  const taken = new Set(server.volumes.map(({ device }) => device));
  let index = server.imageId === null ? 0 : 1;
  while (taken.has(deviceName(index))) index += 1;
  return deviceName(index);
}

function detach(call: ComputeCall): Reply {
  const { cloud } = call;
  const { server, mapping } = target(call);
  if (mapping.device === deviceName(0)) throw badRequest('Cannot detach a root device volume');
  requireUnlocked(call, server);
  requireServerState(server, 'detach_volume', ATTACHABLE);
  const volume = cloud.blockStorage.volumes.get(mapping.volumeId);
  if (volume?.status !== 'in-use')
    throw badRequest(
      `Invalid volume: Invalid input received: Invalid volume: Unable to detach volume. Volume status must be 'in-use' and attach_status must be 'attached' to detach. (HTTP 400)`,
    );
  setStatus(cloud, volume, 'detaching');
  cloud.schedule.after(DETACH_MS, finishDetachment, server, mapping, volume);
  return accepted();
}

export function finishDetachment(
  cloud: ComputeCloud,
  server: Server,
  mapping: ServerVolume,
  volume: Volume,
): void {
  if (volume.status !== 'detaching') return;
  server.volumes = server.volumes.filter((other) => other !== mapping);
  detachVolume(cloud, volume);
}

export const volumeAttachmentOperations: Operation<ComputeCloud>[] = [
  operation('volume_attachments.list', 'GET /servers/:id/os-volume_attachments', list),
  operation('volume_attachments.create', 'POST /servers/:id/os-volume_attachments', attach),
  operation('volume_attachments.get', 'GET /servers/:id/os-volume_attachments/:volume', get),
  operation('volume_attachments.delete', 'DELETE /servers/:id/os-volume_attachments/:volume', detach),
];
