import { newUuid } from '../common/ids.ts';
import { type JsonObject, pythonText, textAt, textMapAt, truthAt } from '../common/json.ts';
import { badRequest, forbidden, notFound } from '../common/service-error.ts';
import { exactMicroseconds } from '../common/timestamps.ts';
import type { Caller } from '../http/operation.ts';
import type { SharedFileSystemCloud } from './cloud.ts';
import { requireShareQuota } from './quotas.ts';
import type { Share, ShareType } from './state.ts';

const CREATE_MS = 500;
const DELETE_MS = 300;
const PROTOCOLS = ['NFS', 'CEPHFS', 'CIFS'];
const CEPH_MONITORS = '192.0.2.11:6789,192.0.2.12:6789,192.0.2.13:6789';

export function owns(caller: Caller, share: Share): boolean {
  return caller.isAdmin || share.projectId === caller.projectId;
}

/** A share of the caller's project, or a public one; any for an administrator. */
export function findShare(
  cloud: SharedFileSystemCloud,
  caller: Caller,
  id: string,
  message: string,
  status404 = true,
): Share {
  const share = cloud.sharedFileSystem.shares.get(id);
  if (share !== undefined && (owns(caller, share) || share.isPublic)) return share;
  throw status404 ? notFound(message) : badRequest(message);
}

export function createShare(cloud: SharedFileSystemCloud, caller: Caller, given: JsonObject): Share {
  const sizeGb = Number(given.size);
  if (!Number.isInteger(sizeGb) || sizeGb < 1)
    throw badRequest(
      `Invalid input received: Share size ${pythonText(String(given.size))} must be an integer and greater than 0.`,
    );
  const protocol = (textAt(given, 'share_proto') ?? '').toUpperCase();
  if (!PROTOCOLS.includes(protocol))
    throw badRequest(
      `Invalid input received: Invalid share protocol provided: ${protocol}. It is either disabled or unsupported. Available protocols: ${pythonText(PROTOCOLS)}.`,
    );
  const networkId = textAt(given, 'share_network_id');
  if (networkId !== undefined) throw notFound(`Share network ${networkId} could not be found.`);
  refuseMakingPublic(caller, given);
  const type = wantedType(cloud, textAt(given, 'share_type') ?? textAt(given, 'volume_type'));
  requireShareQuota(cloud.sharedFileSystem, caller.projectId, sizeGb);
  const id = newUuid();
  const share: Share = {
    id,
    projectId: caller.projectId,
    userId: caller.userId,
    name: textAt(given, 'name') ?? textAt(given, 'display_name') ?? null,
    description: textAt(given, 'description') ?? null,
    status: 'creating',
    sizeGb,
    protocol,
    typeId: type.id,
    isPublic: truthAt(given, 'is_public', false),
    metadata: textMapAt(given, 'metadata'),
    exportPath: cloud.settings.exportPaths[protocol] ?? exportPath(protocol, id),
    exportId: newUuid(),
    createdMs: cloud.clock.now(),
  };
  cloud.sharedFileSystem.shares.set(id, share);
  cloud.clock.after(CREATE_MS, () => {
    if (share.status === 'creating') share.status = 'available';
  });
  return share;
}

function exportPath(protocol: string, id: string): string {
  if (protocol === 'CEPHFS') return `${CEPH_MONITORS}:/volumes/_nogroup/${id}/${newUuid()}`;
  return protocol === 'NFS' ? `192.0.2.21:/shares/${id}` : `\\\\192.0.2.21\\${id}`;
}

function wantedType(cloud: SharedFileSystemCloud, wanted: string | undefined): ShareType {
  for (const type of cloud.sharedFileSystem.types.values())
    if (wanted === undefined ? type.isDefault : type.id === wanted || type.name === wanted) return type;
  throw notFound('Share type not found.');
}

/** Only administrators show a share to all projects. */
export function refuseMakingPublic(caller: Caller, given: JsonObject): void {
  if (truthAt(given, 'is_public', false) && !caller.isAdmin)
    throw forbidden("User is not authorized to set 'is_public' to True in the request.");
}

export function deleteShare(cloud: SharedFileSystemCloud, share: Share): void {
  if (share.status === 'deleting') return;
  if (share.status !== 'available' && share.status !== 'error')
    throw forbidden("Invalid share: Share status must be one of ('available', 'error', 'inactive').");
  share.status = 'deleting';
  cloud.clock.after(DELETE_MS, () => removeShare(cloud, share));
}

/** The share's access rules go with it. */
export function removeShare(cloud: SharedFileSystemCloud, share: Share): void {
  const { shares, rules } = cloud.sharedFileSystem;
  shares.delete(share.id);
  for (const rule of rules.values()) if (rule.shareId === share.id) rules.delete(rule.id);
}

function rulesStatus(cloud: SharedFileSystemCloud, share: Share): string {
  let status = 'active';
  for (const rule of cloud.sharedFileSystem.rules.values()) {
    if (rule.shareId !== share.id) continue;
    if (rule.state === 'error') return 'error';
    if (rule.state !== 'active') status = 'out-of-sync';
  }
  return status;
}

/** The body grows with the minor version: what each step added is listed in its order. */
export function presentShare(
  cloud: SharedFileSystemCloud,
  share: Share,
  base: string,
  minor: number,
  admin: boolean,
): object {
  const typeName = cloud.sharedFileSystem.types.get(share.typeId)?.name ?? null;
  const available = share.status !== 'creating';
  const since = (version: number, fields: object) => (minor >= version ? fields : {});
  return {
    id: share.id,
    size: share.sizeGb,
    availability_zone: available ? 'nova' : null,
    created_at: exactMicroseconds(share.createdMs),
    status: share.status,
    name: share.name,
    description: share.description,
    project_id: share.projectId,
    snapshot_id: null,
    share_network_id: null,
    share_proto: share.protocol,
    ...(minor < 9 ? { export_location: available ? share.exportPath : null } : {}),
    metadata: share.metadata,
    share_type: minor >= 6 ? share.typeId : typeName,
    volume_type: typeName,
    links: [
      { rel: 'self', href: `${base}/shares/${share.id}` },
      { rel: 'bookmark', href: `${base.replace(/\/v2$/, '')}/shares/${share.id}` },
    ],
    is_public: share.isPublic,
    ...(minor < 9 ? { export_locations: available ? [share.exportPath] : [] } : {}),
    ...since(2, { snapshot_support: true }),
    ...since(5, { task_state: null }),
    ...since(6, { share_type_name: typeName }),
    ...since(10, { access_rules_status: rulesStatus(cloud, share) }),
    ...since(11, { replication_type: null, has_replicas: false }),
    ...since(16, { user_id: share.userId }),
    ...since(24, { create_share_from_snapshot_support: true }),
    ...since(27, { revert_to_snapshot_support: true }),
    ...since(31, { share_group_id: null, source_share_group_snapshot_member_id: null }),
    ...since(32, { mount_snapshot_support: true }),
    ...since(54, { progress: available ? '100%' : null }),
    ...since(69, { is_soft_deleted: false, scheduled_to_be_deleted_at: null }),
    ...(admin ? { share_server_id: null, host: 'shares-1@testcloud#fake_pool_for_testcloud' } : {}),
  };
}
