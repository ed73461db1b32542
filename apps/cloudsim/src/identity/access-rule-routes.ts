import { noContent, type Operation, ok, operation, type Reply } from '../http/operation.ts';
import { deleteAccessRule } from './access-rules.ts';
import { refuseDelegations } from './application-credential-routes.ts';
import type { IdentityCall, IdentityCloud } from './cloud.ts';
import { collection, denied, find } from './policy.ts';
import { presentAccessRule } from './present.ts';
import type { OwnedAccessRule } from './state.ts';

/** The service allows administrators of projects no access to the rules of others. */
function requireUser(call: IdentityCall, action: string): void {
  refuseDelegations(call);
  if (call.params.user !== call.caller.userId) throw denied(action);
}

function target(call: IdentityCall): OwnedAccessRule {
  return find(call.cloud.identity.accessRules, call.params.id, 'Access Rule');
}

function list(call: IdentityCall): Reply {
  requireUser(call, 'list_access_rules');
  const own = [...call.cloud.identity.accessRules.values()].filter(
    ({ userId }) => userId === call.params.user,
  );
  return collection(
    call,
    'access_rules',
    own.map((rule) => presentAccessRule(rule, call.base)),
  );
}

function get(call: IdentityCall): Reply {
  requireUser(call, 'get_access_rule');
  return ok({ access_rule: presentAccessRule(target(call), call.base) });
}

function remove(call: IdentityCall): Reply {
  requireUser(call, 'delete_access_rule');
  deleteAccessRule(call.cloud, target(call));
  return noContent();
}

const LIST = '/users/:user/access_rules';

export const accessRuleOperations: Operation<IdentityCloud>[] = [
  operation('access_rules.list', `GET ${LIST}`, list),
  operation('access_rules.get', `GET ${LIST}/:id`, get),
  operation('access_rules.delete', `DELETE ${LIST}/:id`, remove),
];
