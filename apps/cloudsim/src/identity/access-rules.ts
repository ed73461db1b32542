import { newHexId } from '../common/ids.ts';
import { isObject, type Json, stringAt } from '../common/json.ts';
import { badRequest, forbidden } from '../common/service-error.ts';
import type { IdentityCloud } from './cloud.ts';
import type { AccessRule, OwnedAccessRule } from './state.ts';

const METHODS = ['POST', 'GET', 'HEAD', 'PATCH', 'PUT', 'DELETE'];

type NewRule = Omit<AccessRule, 'id'>;

export function parseAccessRules(entries: readonly Json[]): NewRule[] | 'repeated' {
  const rules = entries.map(parseAccessRule);
  const texts = rules.map(({ service, method, path }) => `${service} ${method} ${path}`);
  return new Set(texts).size < texts.length ? 'repeated' : rules;
}

function parseAccessRule(entry: Json): NewRule {
  const rule = isObject(entry) ? entry : {};
  const [service = '', method = '', path = ''] = ['service', 'method', 'path'].map((key) =>
    stringAt(rule, key),
  );
  const isValid = METHODS.includes(method) && path.startsWith('/') && /^[a-zA-Z0-9-]+$/.test(service);
  if (!isValid) throw badRequest("Invalid input for field 'access_rules'");
  return { service, method, path };
}

/** Returns the ids of the rules. Rules that the user already has are reused. */
export function createAccessRules(
  { identity }: IdentityCloud,
  userId: string,
  rules: readonly NewRule[],
): string[] {
  const own = [...identity.accessRules.values()].filter((rule) => rule.userId === userId);
  return rules.map((rule) => {
    const existing = own.find(
      ({ method, path, service }) => service === rule.service && method === rule.method && path === rule.path,
    );
    if (existing !== undefined) return existing.id;
    const id = newHexId();
    identity.accessRules.set(id, { id, userId, ...rule });
    return id;
  });
}

export function deleteAccessRule({ identity }: IdentityCloud, { id }: OwnedAccessRule): void {
  const isUsed = [...identity.applicationCredentials.values()].some(({ accessRuleIds }) =>
    accessRuleIds?.includes(id),
  );
  if (isUsed) throw forbidden('May not delete access rule in use');
  identity.accessRules.delete(id);
}
