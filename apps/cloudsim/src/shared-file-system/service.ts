import { booleanAt, envelope, isObject, stringAt } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { faultFormat, webobFormat } from '../http/error-formats.ts';
import { isTrue, list } from '../http/listing.ts';
import { accepted, actionIn, namedByAction, ok, operation, type Reply } from '../http/operation.ts';
import { denied } from '../http/policy.ts';
import type { Service } from '../http/service.ts';
import { accessRuleOperations, listed } from './access-rule-routes.ts';
import { allowAccess, denyAccess, presentRule, rulesOf } from './access-rules.ts';
import type { SharedFileSystemCall, SharedFileSystemCloud } from './cloud.ts';
import { listExports } from './exports.ts';
import { metadataOperations } from './metadata-routes.ts';
import { quotaOperations } from './quota-routes.ts';
import { NOT_THERE, unprocessable } from './refusals.ts';
import { securityServiceOperations } from './security-services.ts';
import { serviceOperations } from './services.ts';
import { shareNetworkOperations } from './share-networks.ts';
import { ownShare, shareOf } from './share-of-call.ts';
import {
  createShare,
  deleteShare,
  findShare,
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
import type { Share } from './state.ts';
import { getType, listTypes } from './types.ts';

function presented(call: SharedFileSystemCall, share: Share): object {
  return presentShare(call.cloud, share, call.base, call.minor, call.caller.isAdmin);
}

function brief(call: SharedFileSystemCall, share: Share): object {
  const { links } = presented(call, share) as { links: unknown };
  return { id: share.id, name: share.name, links };
}

/**
 * Public shares of other projects are only listed on request. As in the real service, a project in the query
 * has no effect for members, nor together with a count.
 */
function listShares(
  present: (call: SharedFileSystemCall, share: Share) => object,
): (call: SharedFileSystemCall) => Reply {
  return (call) => {
    const { query, caller, cloud } = call;
    const alsoPublic = isTrue(query.get('is_public'));
    const everywhere = caller.isAdmin && isTrue(query.get('all_tenants'));
    const projectId = everywhere && !isTrue(query.get('with_count')) ? query.get('project_id') : null;
    return list(call, {
      plural: 'shares',
      records: cloud.sharedFileSystem.shares.values(),
      present: (share) => present(call, share),
      unknownMarker: (id) => badRequest(`Share ${id} not found.`),
      visible: (share) =>
        everywhere || share.projectId === caller.projectId || (alsoPublic && share.isPublic),
      filter: (share) =>
        (projectId === null || share.projectId === projectId) &&
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
  else if (!call.caller.isAdmin) throw denied(`share:${action}`);
  else if (action === 'reset_status') share.status = stringAt(input, 'status') ?? share.status;
  else if (action === 'force_delete') removeShare(call.cloud, share);
  else throw badRequest(`There is no such action: ${action}`);
  return accepted();
}

function listSnapshots(call: SharedFileSystemCall): Reply {
  return list(call, {
    plural: 'snapshots',
    records: call.cloud.sharedFileSystem.snapshots.values(),
    present: presentShareSnapshot,
    unknownMarker: (id) => badRequest(`Snapshot ${id} not found.`),
  });
}

function createSnapshot(call: SharedFileSystemCall): Reply {
  const input = envelope(call.body, 'snapshot', unprocessable);
  const share = findShare(call.cloud, call.caller, stringAt(input, 'share_id') ?? '', NOT_THERE);
  return accepted({ snapshot: presentShareSnapshot(createShareSnapshot(call, share, input)) });
}

export const sharedFileSystemService: Service<SharedFileSystemCloud> = {
  name: 'shared-file-system',
  prefix: '/share/v2',
  errors: faultFormat,
  unrouted: webobFormat,
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
    ...metadataOperations,
    ...accessRuleOperations,
    operation('snapshots.list_detail', 'GET /snapshots/detail', listSnapshots),
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
    ...shareNetworkOperations,
    ...securityServiceOperations,
    ...quotaOperations,
    ...serviceOperations,
  ],
};
