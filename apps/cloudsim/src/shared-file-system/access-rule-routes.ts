import { badRequest, notFound } from '../common/service-error.ts';
import { parseMapping } from '../http/listing.ts';
import { ok, operation, type Reply } from '../http/operation.ts';
import { owns } from '../http/policy.ts';
import { presentRule, rulesOf } from './access-rules.ts';
import type { SharedFileSystemCall } from './cloud.ts';
import { NOT_THERE } from './refusals.ts';
import { findShare } from './shares.ts';
import type { AccessRule } from './state.ts';

/** The response to a list of access rules, and to the action of a share that lists its rules. */
export function listed(rules: AccessRule[]): Reply {
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
  if (rule === undefined || share === undefined || !(owns(call.caller, share.projectId) || share.isPublic))
    throw notFound(`Share access rule ${id} not found.`);
  return ok({ access: presentRule(rule, true) });
}

export const accessRuleOperations = [
  operation('access_rules.list', 'GET /share-access-rules', since45(listRules)),
  operation('access_rules.get', 'GET /share-access-rules/:id', since45(getRule)),
];
