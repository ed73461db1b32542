import { newUuid } from '../common/ids.ts';
import { booleanAt, type JsonObject, objectAt, pythonRepr, stringAt } from '../common/json.ts';
import { badRequest, forbidden, notFound } from '../common/service-error.ts';
import { exactMicroseconds } from '../common/timestamps.ts';
import { selfAndBookmark } from '../http/links.ts';
import type { Caller } from '../http/operation.ts';
import { findOwned, owns } from '../http/policy.ts';
import type { SharedFileSystemCloud } from './cloud.ts';
import { newExports } from './exports.ts';
import { validMetadata } from './metadata.ts';
import { requireShareQuota } from './quotas.ts';
import type { Share, ShareType } from './state.ts';

const CREATE_MS = 500;
const DELETE_MS = 300;
/** The last part of a deletion: the share has no instance any more, and therefore no status. */
const WITHOUT_STATUS_MS = 60;
/** The real service sends this text literally, whatever the reason. */
const REFUSED = 'Invalid share: %(reason)s.';
const PROTOCOLS = ['NFS', 'CEPHFS', 'CIFS'];

/** A share of the caller's project, or a public share. Administrators can read all shares. */
export function findShare(
  cloud: SharedFileSystemCloud,
  caller: Caller,
  id: string,
  message: string,
  status404 = true,
): Share {
  const share = cloud.sharedFileSystem.shares.get(id);
  if (share !== undefined && (owns(caller, share.projectId) || share.isPublic)) return share;
  throw status404 ? notFound(message) : badRequest(message);
}

export function createShare(cloud: SharedFileSystemCloud, caller: Caller, input: JsonObject): Share {
  const metadata = validMetadata(objectAt(input, 'metadata'));
  const sizeGb = Number(input.size);
  if (!Number.isInteger(sizeGb) || sizeGb < 1)
    throw badRequest(
      `Invalid input received: Share size ${pythonRepr(String(input.size))} must be an integer and greater than 0.`,
    );
  const protocol = (stringAt(input, 'share_proto') ?? '').toUpperCase();
  if (!PROTOCOLS.includes(protocol))
    throw badRequest(
      `Invalid input received: Invalid share protocol provided: ${protocol}. It is either disabled or unsupported. Available protocols: ${pythonRepr(PROTOCOLS)}.`,
    );
  const networkId = stringAt(input, 'share_network_id') ?? null;
  if (networkId !== null && !cloud.sharedFileSystem.shareNetworks.has(networkId))
    throw notFound(`Share network ${networkId} could not be found.`);
  rejectPublicUnlessAdmin(caller, input);
  const parent = parentOf(cloud, caller, stringAt(input, 'snapshot_id'), sizeGb);
  const wantedType = stringAt(input, 'share_type') ?? stringAt(input, 'volume_type');
  const type = requestedType(cloud, wantedType ?? parent?.typeId);
  requireShareQuota(cloud.sharedFileSystem, caller.projectId, sizeGb);
  const id = newUuid();
  const share: Share = {
    id,
    projectId: caller.projectId,
    userId: caller.userId,
    name: stringAt(input, 'name') ?? stringAt(input, 'display_name') ?? null,
    description: stringAt(input, 'description') ?? null,
    status: 'creating',
    sizeGb,
    protocol,
    typeId: type.id,
    networkId: networkId ?? parent?.networkId ?? null,
    isPublic: booleanAt(input, 'is_public', false),
    metadata,
    exports: newExports(cloud, protocol, id),
    createdMs: cloud.clock.now(),
  };
  cloud.sharedFileSystem.shares.set(id, share);
  cloud.schedule.after(CREATE_MS, finishShare, share);
  return share;
}

/** The share of the snapshot that fills a new share. */
function parentOf(
  { sharedFileSystem }: SharedFileSystemCloud,
  caller: Caller,
  snapshotId: string | undefined,
  sizeGb: number,
): Share | undefined {
  if (snapshotId === undefined) return undefined;
  const snapshot = findOwned(sharedFileSystem.snapshots, caller, snapshotId, (id) =>
    notFound(`Snapshot ${id} could not be found.`),
  );
  if (snapshot.status !== 'available')
    throw badRequest("Invalid share snapshot: status must be 'available'.");
  if (sizeGb < snapshot.sizeGb)
    throw badRequest(
      `Invalid input received: Share size '${sizeGb}' must be equal or greater than snapshot size.`,
    );
  return sharedFileSystem.shares.get(snapshot.shareId);
}

function requestedType(cloud: SharedFileSystemCloud, requested: string | undefined): ShareType {
  for (const type of cloud.sharedFileSystem.types.values())
    if (requested === undefined ? type.isDefault : type.id === requested || type.name === requested)
      return type;
  throw notFound('Share type not found.');
}

/** Only administrators may make a share public. */
export function rejectPublicUnlessAdmin(caller: Caller, input: JsonObject): void {
  if (booleanAt(input, 'is_public', false) && !caller.isAdmin)
    throw forbidden("User is not authorized to set 'is_public' to True in the request.");
}

export function deleteShare(cloud: SharedFileSystemCloud, share: Share): void {
  if (share.status !== 'available' && share.status !== 'error') throw forbidden(REFUSED);
  for (const { shareId } of cloud.sharedFileSystem.snapshots.values())
    if (shareId === share.id) throw forbidden(REFUSED);
  share.status = 'deleting';
  cloud.schedule.after(DELETE_MS - WITHOUT_STATUS_MS, removeShareInstance, share);
}

export function removeShareInstance(cloud: SharedFileSystemCloud, share: Share): void {
  share.status = null;
  cloud.schedule.after(WITHOUT_STATUS_MS, removeShare, share);
}

/** Deletes the share and its access rules. */
export function removeShare(cloud: SharedFileSystemCloud, share: Share): void {
  const { shares, rules } = cloud.sharedFileSystem;
  shares.delete(share.id);
  for (const rule of rules.values()) if (rule.shareId === share.id) rules.delete(rule.id);
}

/** Backends without share servers refuse what is in a share network, which the service has accepted. */
export function finishShare(_cloud: SharedFileSystemCloud, share: Share): void {
  if (share.status === 'creating') share.status = share.networkId === null ? 'available' : 'error';
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

/** The body grows with the minor version; the fields are in the order in which versions added them. */
export function presentShare(
  cloud: SharedFileSystemCloud,
  share: Share,
  base: string,
  minor: number,
  admin: boolean,
): object {
  const typeName = cloud.sharedFileSystem.types.get(share.typeId)?.name ?? null;
  const available = share.status !== 'creating';
  const paths = share.status === 'available' ? share.exports.map(({ path }) => path) : [];
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
    share_network_id: share.networkId,
    share_proto: share.protocol,
    ...(minor < 9 ? { export_location: paths[0] ?? null } : {}),
    metadata: share.metadata,
    share_type: minor >= 6 ? share.typeId : typeName,
    volume_type: typeName,
    links: selfAndBookmark(base, `shares/${share.id}`),
    is_public: share.isPublic,
    ...(minor < 9 ? { export_locations: paths } : {}),
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
