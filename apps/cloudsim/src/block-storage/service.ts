import { envelope, isObject, numberAt, objectAt, stringAt, stringMapAt } from '../common/json.ts';
import { badRequest, notFound } from '../common/service-error.ts';
import { faultFormat, webobFormat } from '../http/error-formats.ts';
import { isTrue, list } from '../http/listing.ts';
import {
  accepted,
  actionIn,
  namedByAction,
  type Operation,
  ok,
  operation,
  type Reply,
} from '../http/operation.ts';
import { denied, owns, requireAdmin } from '../http/policy.ts';
import type { Service } from '../http/service.ts';
import { attachmentOperations, detachVolume } from './attachments.ts';
import { backendOperations } from './backends.ts';
import { backupOperations } from './backup-routes.ts';
import { createVolumeFromBackup } from './backups.ts';
import type { BlockStorageCall, BlockStorageCloud } from './cloud.ts';
import { volumeLimits, volumeUsage } from './quotas.ts';
import { malformed } from './refusals.ts';
import { retypeVolume } from './retype.ts';
import { snapshotOperations } from './snapshot-routes.ts';
import type { Volume } from './state.ts';
import { transferOperations } from './transfer-routes.ts';
import { typeOperations } from './type-routes.ts';
import { uploadVolume } from './upload.ts';
import {
  createVolume,
  deleteVolume,
  extendVolume,
  findVolume,
  presentVolume,
  removeVolume,
  setStatus,
} from './volumes.ts';

/** Requires the project of the token in the path. */
function ofProject(run: (call: BlockStorageCall) => Reply): (call: BlockStorageCall) => Reply {
  return (call) => {
    if (call.params.project !== call.caller.projectId) throw badRequest('Malformed request url');
    return run(call);
  };
}

function volumeOf(call: BlockStorageCall): Volume {
  return findVolume(call.cloud, call.caller, call.params.id ?? '');
}

function listVolumes(
  present: (volume: Volume, call: BlockStorageCall) => object,
): (call: BlockStorageCall) => Reply {
  return (call) =>
    list(call, {
      plural: 'volumes',
      records: call.cloud.blockStorage.volumes.values(),
      present: (volume) => present(volume, call),
      unknownMarker: (id) => notFound(`Volume ${id} could not be found.`),
      filter: (volume) => {
        const bootable = call.query.get('bootable');
        return bootable === null || isTrue(bootable) === volume.bootable;
      },
    });
}

function brief(volume: Volume, call: BlockStorageCall): object {
  const self = { rel: 'self', href: `${call.base}/volumes/${volume.id}` };
  return { id: volume.id, name: volume.name, links: [self] };
}

function create(call: BlockStorageCall): Reply {
  const input = envelope(call.body, 'volume', malformed);
  const volume =
    stringAt(input, 'backup_id') === undefined
      ? createVolume(call.cloud, call.caller, input)
      : createVolumeFromBackup(call, input);
  return accepted({ volume: presentVolume(volume, call.base, false) });
}

function update(call: BlockStorageCall): Reply {
  const volume = volumeOf(call);
  const input = envelope(call.body, 'volume', malformed);
  volume.name = stringAt(input, 'name') ?? volume.name;
  volume.description = stringAt(input, 'description') ?? volume.description;
  if (isObject(input.metadata)) volume.metadata = stringMapAt(input, 'metadata');
  volume.updatedMs = call.cloud.clock.now();
  return ok({ volume: presentVolume(volume, call.base, false) });
}

function remove(call: BlockStorageCall): Reply {
  deleteVolume(call.cloud, volumeOf(call));
  return accepted();
}

const ADMIN_ACTIONS = new Set(['os-reset_status', 'os-force_delete']);

function act(call: BlockStorageCall): Reply {
  const [action, argument] = actionIn(call.body);
  const volume = volumeOf(call);
  if (ADMIN_ACTIONS.has(action) && !call.caller.isAdmin)
    throw denied(`volume_extension:volume_admin_actions:${action.slice(3)}`);
  const input = isObject(argument) ? argument : {};
  if (action === 'os-extend') extendVolume(call.cloud, volume, numberAt(input, 'new_size'));
  else if (action === 'os-retype') retypeVolume(call.cloud, volume, input);
  else if (action === 'os-reset_status')
    resetStatus(call, volume, stringAt(input, 'status') ?? volume.status);
  else if (action === 'os-force_delete') removeVolume(call.cloud, volume);
  else if (action === 'os-detach') detachVolume(call.cloud, volume);
  else if (action === 'os-volume_upload_image')
    return accepted({ [action]: uploadVolume(call.cloud, call.caller, volume, input) });
  else if (action === 'os-set_bootable') volume.bootable = input.bootable === true;
  else throw badRequest(`There is no such action: ${action}`);
  return accepted();
}

function resetStatus(call: BlockStorageCall, volume: Volume, status: string): void {
  if (status === 'in-use' && volume.attachments.length === 0)
    throw badRequest('Cannot reset-state to in-use because volume does not have any attachments.');
  setStatus(call.cloud, volume, status);
}

function setMetadata(call: BlockStorageCall): Reply {
  const volume = volumeOf(call);
  const input = stringMapAt(isObject(call.body) ? call.body : {}, 'metadata');
  volume.metadata = { ...volume.metadata, ...input };
  return ok({ metadata: volume.metadata });
}

function deleteMetadata(call: BlockStorageCall): Reply {
  const volume = volumeOf(call);
  const key = call.params.key ?? '';
  if (!(key in volume.metadata)) throw notFound(`Volume ${volume.id} has no metadata with key ${key}.`);
  delete volume.metadata[key];
  return ok(undefined);
}

function summary(call: BlockStorageCall): Reply {
  const { volumes, gigabytes } = volumeUsage(call.cloud.blockStorage, call.caller.projectId);
  return ok({ 'volume-summary': { total_count: volumes, total_size: gigabytes, metadata: {} } });
}

function getLimits(call: BlockStorageCall): Reply {
  const limits = volumeLimits(call.cloud.blockStorage, call.caller.projectId);
  const usage = volumeUsage(call.cloud.blockStorage, call.caller.projectId);
  const absolute = {
    maxTotalVolumes: limits.volumes,
    maxTotalSnapshots: limits.snapshots,
    maxTotalVolumeGigabytes: limits.gigabytes,
    maxTotalBackups: limits.backups,
    maxTotalBackupGigabytes: limits.backup_gigabytes,
    totalVolumesUsed: usage.volumes,
    totalGigabytesUsed: usage.gigabytes,
    totalSnapshotsUsed: usage.snapshots,
    totalBackupsUsed: usage.backups,
    totalBackupGigabytesUsed: usage.backup_gigabytes,
  };
  return ok({ limits: { rate: [], absolute } });
}

function getQuota(call: BlockStorageCall): Reply {
  const id = call.params.id ?? '';
  if (!owns(call.caller, id)) throw denied('volume_extension:quotas:show');
  const limits = volumeLimits(call.cloud.blockStorage, id);
  if (!isTrue(call.query.get('usage'))) return ok({ quota_set: { ...limits, id } });
  const usage = volumeUsage(call.cloud.blockStorage, id);
  const rows = Object.entries(limits).map(([key, limit]) => [
    key,
    { limit, in_use: usage[key] ?? 0, reserved: 0 },
  ]);
  return ok({ quota_set: { ...Object.fromEntries(rows), id } });
}

function updateQuota(call: BlockStorageCall): Reply {
  requireAdmin(call, 'volume_extension:quotas:update');
  const id = call.params.id ?? '';
  const input = objectAt(call.body, 'quota_set');
  const quota = { ...call.cloud.blockStorage.quotas.get(id) };
  for (const key of Object.keys(input)) quota[key] = Number(input[key]);
  call.cloud.blockStorage.quotas.set(id, quota);
  return ok({ quota_set: volumeLimits(call.cloud.blockStorage, id) });
}

function listZones({ cloud }: BlockStorageCall): Reply {
  const row = (zoneName: string) => ({ zoneName, zoneState: { available: true } });
  return ok({ availabilityZoneInfo: cloud.settings.volumeZones.map(row) });
}

const OPERATIONS: Operation<BlockStorageCloud>[] = [
  operation(
    'volumes.list_detail',
    'GET /volumes/detail',
    listVolumes((volume, call) => presentVolume(volume, call.base, true)),
  ),
  operation('volumes.list', 'GET /volumes', listVolumes(brief)),
  operation('volumes.create', 'POST /volumes', create),
  operation('volumes.summary', 'GET /volumes/summary', summary),
  operation('volumes.get', 'GET /volumes/:id', (call) =>
    ok({ volume: presentVolume(volumeOf(call), call.base, true) }),
  ),
  operation('volumes.update', 'PUT /volumes/:id', update),
  operation('volumes.delete', 'DELETE /volumes/:id', remove),
  operation('volumes.action', 'POST /volumes/:id/action', act, { nameFor: namedByAction('volumes') }),
  operation('volumes.get_metadata', 'GET /volumes/:id/metadata', (call) =>
    ok({ metadata: volumeOf(call).metadata }),
  ),
  operation('volumes.set_metadata', 'POST /volumes/:id/metadata', setMetadata),
  operation('volumes.delete_metadata', 'DELETE /volumes/:id/metadata/:key', deleteMetadata),
  ...attachmentOperations,
  ...snapshotOperations,
  ...backupOperations,
  ...transferOperations,
  ...typeOperations,
  operation('limits.get', 'GET /limits', getLimits),
  operation('quotas.get', 'GET /os-quota-sets/:id', getQuota),
  operation('quotas.update', 'PUT /os-quota-sets/:id', updateQuota),
  operation('availability_zones.list', 'GET /os-availability-zone', listZones),
  ...backendOperations,
];

export const blockStorageService: Service<BlockStorageCloud> = {
  name: 'block-storage',
  prefix: '/volume/v3/:project',
  errors: faultFormat,
  unrouted: webobFormat,
  malformed: 'Malformed request body',
  microversions: { name: 'volume', major: 3, min: 0, max: 70 },
  requestIdHeaders: ['X-Openstack-Request-Id', 'X-Compute-Request-Id'],
  headers: (minor) => ({ 'OpenStack-API-Version': `volume 3.${minor}`, Vary: 'OpenStack-API-Version' }),
  operations: OPERATIONS.map((declared) => ({ ...declared, run: ofProject(declared.run) })),
};
