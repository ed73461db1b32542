import { booleanAt, envelope, isObject, objectAt, stringAt, stringMapAt } from '../common/json.ts';
import { badRequest, forbidden, notFound, ServiceError } from '../common/service-error.ts';
import { faultFormat, pageFormat } from '../http/error-formats.ts';
import { isTrue, list, parseMapping } from '../http/listing.ts';
import { accepted, actionIn, namedByAction, ok, operation, type Reply } from '../http/operation.ts';
import type { Service } from '../http/service.ts';
import { allowAccess, denyAccess, presentRule, rulesOf } from './access-rules.ts';
import type { SharedFileSystemCall, SharedFileSystemCloud } from './cloud.ts';
import { listExports } from './exports.ts';
import { shareLimits, shareUsage } from './quotas.ts';
import {
  createShare,
  deleteShare,
  findShare,
  owns,
  presentShare,
  rejectPublicUnlessAdmin,
  removeShare,
} from './shares.ts';
import {
  createShareSnapshot,
  deleteShareSnapshot,
  findShareSnapshot,
  presentShareSnapshot,
} from './snapshots.ts';
import type { AccessRule, Share } from './state.ts';
import { getType, listTypes } from './types.ts';

const NOT_THERE = 'The resource could not be found.';

function unprocessable(): Error {
  return new ServiceError(422, 'Unable to process the contained instructions');
}

function shareOf(call: SharedFileSystemCall, message = NOT_THERE): Share {
  return findShare(call.cloud, call.caller, call.params.id ?? '', message);
}

/** A share that the caller may change. A public share is visible to all projects, but only its project may change it. */
function ownShare(call: SharedFileSystemCall, rule: string): Share {
  const share = shareOf(call);
  if (!owns(call.caller, share)) throw forbidden(`Policy doesn't allow share:${rule} to be performed.`);
  return share;
}

function presented(call: SharedFileSystemCall, share: Share): object {
  return presentShare(call.cloud, share, call.base, call.minor, call.caller.isAdmin);
}

function brief(call: SharedFileSystemCall, share: Share): object {
  const { links } = presented(call, share) as { links: unknown };
  return { id: share.id, name: share.name, links };
}

/** Public shares of other projects are only listed on request. */
function listShares(
  present: (call: SharedFileSystemCall, share: Share) => object,
): (call: SharedFileSystemCall) => Reply {
  return (call) => {
    const { query, caller, cloud } = call;
    const alsoPublic = isTrue(query.get('is_public'));
    const everywhere = caller.isAdmin && isTrue(query.get('all_tenants'));
    return list(call, {
      plural: 'shares',
      records: cloud.sharedFileSystem.shares.values(),
      present: (share) => present(call, share),
      unknownMarker: (id) => badRequest(`Share ${id} not found.`),
      visible: (share) =>
        everywhere || share.projectId === caller.projectId || (alsoPublic && share.isPublic),
      filter: (share) =>
        (!query.has('project_id') || share.projectId === query.get('project_id')) &&
        (!query.has('share_proto') || share.protocol === query.get('share_proto')) &&
        (!query.has('share_type_id') || share.typeId === query.get('share_type_id')) &&
        (!query.has('name~') || (share.name ?? '').includes(query.get('name~') ?? '')),
    });
  };
}

function create(call: SharedFileSystemCall): Reply {
  const share = createShare(call.cloud, call.caller, envelope(call.body, 'share', unprocessable));
  return ok({ share: presented(call, share) });
}

function update(call: SharedFileSystemCall): Reply {
  const share = ownShare(call, 'update');
  const input = envelope(call.body, 'share', unprocessable);
  rejectPublicUnlessAdmin(call.caller, input);
  share.name = stringAt(input, 'display_name') ?? stringAt(input, 'name') ?? share.name;
  share.description =
    stringAt(input, 'display_description') ?? stringAt(input, 'description') ?? share.description;
  share.isPublic = booleanAt(input, 'is_public', share.isPublic);
  return ok({ share: presented(call, share) });
}

function remove(call: SharedFileSystemCall): Reply {
  deleteShare(call.cloud, ownShare(call, 'delete'));
  return accepted();
}

function act(call: SharedFileSystemCall): Reply {
  const [action, argument] = actionIn(call.body);
  const input = isObject(argument) ? argument : {};
  if (action === 'allow_access') {
    const share = shareOf(call, 'NotFound: Resource could not be found.');
    return ok({ access: presentRule(allowAccess(call.cloud, share, input), true) });
  }
  if (action === 'deny_access') {
    denyAccess(call.cloud, shareOf(call, 'NotFound: Resource could not be found.'), input);
    return accepted();
  }
  const share = ownShare(call, action);
  if (action === 'access_list') return listed(rulesOf(call.cloud, share.id));
  if (action === 'extend') share.sizeGb = Number(input.new_size);
  else if (action === 'shrink') share.sizeGb = Number(input.new_size);
  else if (!call.caller.isAdmin) throw forbidden(`Policy doesn't allow share:${action} to be performed.`);
  else if (action === 'reset_status') share.status = stringAt(input, 'status') ?? share.status;
  else if (action === 'force_delete') removeShare(call.cloud, share);
  else throw badRequest(`There is no such action: ${action}`);
  return accepted();
}

function listed(rules: AccessRule[]): Reply {
  return ok({ access_list: rules.map((rule) => presentRule(rule, false)) });
}

/** Access rules are a resource from 2.45 on. */
function since45(run: (call: SharedFileSystemCall) => Reply): (call: SharedFileSystemCall) => Reply {
  return (call) => {
    if (call.minor < 45) throw notFound(NOT_THERE);
    return run(call);
  };
}

function listRules(call: SharedFileSystemCall): Reply {
  const { query, cloud, caller } = call;
  const shareId = query.get('share_id');
  if (shareId === null) throw badRequest("The field 'share_id' has to be specified.");
  const share = findShare(cloud, caller, shareId, `Share ${shareId} not found.`, false);
  const metadata = Object.entries(parseMapping(query.get('metadata')));
  const rules = rulesOf(cloud, share.id).filter(
    (rule) =>
      (!query.has('access_to') || rule.to === query.get('access_to')) &&
      (!query.has('access_type') || rule.type === query.get('access_type')) &&
      metadata.every(([key, value]) => rule.metadata[key] === value),
  );
  return listed(rules);
}

function getRule(call: SharedFileSystemCall): Reply {
  const id = call.params.id ?? '';
  const rule = call.cloud.sharedFileSystem.rules.get(id);
  const share = call.cloud.sharedFileSystem.shares.get(rule?.shareId ?? '');
  if (rule === undefined || share === undefined || !(owns(call.caller, share) || share.isPublic))
    throw notFound(`Share access rule ${id} not found.`);
  return ok({ access: presentRule(rule, true) });
}

function changeMetadata(replace: boolean): (call: SharedFileSystemCall) => Reply {
  return (call) => {
    const share = ownShare(call, 'update_share_metadata');
    const input = stringMapAt(isObject(call.body) ? call.body : {}, 'metadata');
    share.metadata = replace ? input : { ...share.metadata, ...input };
    return ok({ metadata: share.metadata });
  };
}

function deleteMetadata(call: SharedFileSystemCall): Reply {
  const share = ownShare(call, 'delete_share_metadata');
  const key = call.params.key ?? '';
  if (!(key in share.metadata)) throw notFound('MetadataItemNotFound: Metadata item is not found.');
  delete share.metadata[key];
  return ok(undefined);
}

function createSnapshot(call: SharedFileSystemCall): Reply {
  const input = envelope(call.body, 'snapshot', unprocessable);
  const share = findShare(call.cloud, call.caller, stringAt(input, 'share_id') ?? '', NOT_THERE);
  return accepted({ snapshot: presentShareSnapshot(createShareSnapshot(call, share, input)) });
}

function getLimits(call: SharedFileSystemCall): Reply {
  const state = call.cloud.sharedFileSystem;
  const limits = shareLimits(state, call.caller.projectId);
  const usage = shareUsage(state, call.caller.projectId);
  const absolute = {
    maxTotalShares: limits.shares,
    maxTotalShareSnapshots: limits.snapshots,
    maxTotalShareGigabytes: limits.gigabytes,
    maxTotalSnapshotGigabytes: limits.snapshot_gigabytes,
    maxTotalShareNetworks: limits.share_networks,
    totalSharesUsed: usage.shares,
    totalShareSnapshotsUsed: usage.snapshots,
    totalShareGigabytesUsed: usage.gigabytes,
    totalSnapshotGigabytesUsed: usage.snapshot_gigabytes,
    totalShareNetworksUsed: 0,
  };
  return ok({ limits: { rate: [], absolute } });
}

function quotaProject(call: SharedFileSystemCall): string {
  const id = call.params.id ?? '';
  if (!call.caller.isAdmin && id !== call.caller.projectId)
    throw forbidden('Access was denied to this resource.');
  return id;
}

function getQuota(call: SharedFileSystemCall): Reply {
  const id = quotaProject(call);
  return ok({ quota_set: { id, ...shareLimits(call.cloud.sharedFileSystem, id) } });
}

function getQuotaDetail(call: SharedFileSystemCall): Reply {
  const id = quotaProject(call);
  const usage = shareUsage(call.cloud.sharedFileSystem, id);
  const rows = Object.entries(shareLimits(call.cloud.sharedFileSystem, id)).map(([key, limit]) => [
    key,
    { limit, in_use: usage[key] ?? 0, reserved: 0 },
  ]);
  return ok({ quota_set: { id, ...Object.fromEntries(rows) } });
}

function updateQuota(call: SharedFileSystemCall): Reply {
  if (!call.caller.isAdmin) throw forbidden("Policy doesn't allow quota_set:update to be performed.");
  const id = call.params.id ?? '';
  const input = objectAt(call.body, 'quota_set');
  const quota = { ...call.cloud.sharedFileSystem.quotas.get(id) };
  for (const key of Object.keys(input)) quota[key] = Number(input[key]);
  call.cloud.sharedFileSystem.quotas.set(id, quota);
  return getQuota(call);
}

function listServices(call: SharedFileSystemCall): Reply {
  if (!call.caller.isAdmin) throw forbidden("Policy doesn't allow service:index to be performed.");
  const row = (id: number, binary: string, host: string) => ({
    id,
    binary,
    host,
    zone: 'nova',
    status: 'enabled',
    state: 'up',
    updated_at: new Date(call.cloud.clock.now()).toISOString().replace('Z', '000'),
  });
  return ok({
    services: [
      row(1, 'manila-scheduler', 'shares-1'),
      row(2, 'manila-data', 'shares-1'),
      row(3, 'manila-share', 'shares-1@testcloud'),
    ],
  });
}

export const sharedFileSystemService: Service<SharedFileSystemCloud> = {
  name: 'shared-file-system',
  prefix: '/share/v2',
  errors: faultFormat,
  unrouted: pageFormat,
  malformed: 'Malformed request body',
  microversions: {
    name: 'shared-file-system',
    header: 'x-openstack-manila-api-version',
    major: 2,
    min: 0,
    max: 73,
  },
  requestIdHeaders: ['X-Openstack-Request-Id', 'X-Compute-Request-Id'],
  headers: (minor) => ({
    'X-OpenStack-Manila-API-Version': `2.${minor}`,
    Vary: 'X-OpenStack-Manila-API-Version',
  }),
  operations: [
    operation('shares.list_detail', 'GET /shares/detail', listShares(presented)),
    operation('shares.list', 'GET /shares', listShares(brief)),
    operation('shares.create', 'POST /shares', create),
    operation('shares.get', 'GET /shares/:id', (call) => ok({ share: presented(call, shareOf(call)) })),
    operation('shares.update', 'PUT /shares/:id', update),
    operation('shares.delete', 'DELETE /shares/:id', remove),
    operation('shares.action', 'POST /shares/:id/action', act, { nameFor: namedByAction('shares') }),
    operation('shares.export_locations', 'GET /shares/:id/export_locations', (call) =>
      listExports(call, shareOf(call)),
    ),
    operation('shares.get_metadata', 'GET /shares/:id/metadata', (call) =>
      ok({ metadata: shareOf(call).metadata }),
    ),
    operation('shares.set_metadata', 'POST /shares/:id/metadata', changeMetadata(false)),
    operation('shares.replace_metadata', 'PUT /shares/:id/metadata', changeMetadata(true)),
    operation('shares.delete_metadata', 'DELETE /shares/:id/metadata/:key', deleteMetadata),
    operation('access_rules.list', 'GET /share-access-rules', since45(listRules)),
    operation('access_rules.get', 'GET /share-access-rules/:id', since45(getRule)),
    operation('snapshots.create', 'POST /snapshots', createSnapshot),
    operation('snapshots.get', 'GET /snapshots/:id', (call) =>
      ok({ snapshot: presentShareSnapshot(findShareSnapshot(call)) }),
    ),
    operation('snapshots.delete', 'DELETE /snapshots/:id', (call) => {
      deleteShareSnapshot(call.cloud, findShareSnapshot(call));
      return accepted();
    }),
    operation('share_types.list', 'GET /types', listTypes),
    operation('share_types.get', 'GET /types/:id', getType),
    operation('limits.get', 'GET /limits', getLimits),
    operation('quotas.detail', 'GET /quota-sets/:id/detail', getQuotaDetail),
    operation('quotas.get', 'GET /quota-sets/:id', getQuota),
    operation('quotas.update', 'PUT /quota-sets/:id', updateQuota),
    operation('services.list', 'GET /services', listServices),
  ],
};
