import type { IdentityCloud } from './cloud.ts';
import type { AccessRule, IdentityState, Token } from './state.ts';

interface ServiceRequest {
  /** The type of the service in the catalog. */
  service: string;
  method: string;
  /** The whole path, without the query. */
  path: string;
}

/**
 * Whether the access rules of a token's application credential permit a request. True
 * for tokens without rules.
 */
export function isPermitted(cloud: IdentityCloud, tokenId: string, request: ServiceRequest): boolean {
  const rules = accessRulesOf(cloud, cloud.identity.tokens.get(tokenId));
  if (rules === null) return true;
  if (request.service === 'identity') {
    // Validating a token is always permitted. The identity service of Zed permits everything.
    if (request.method === 'GET' && request.path.endsWith('/v3/auth/tokens')) return true;
  } else if (cloud.settings.refusesAccessRules) return false;
  return rules.some((rule) => matches(rule, request));
}

/**
 * The access rules of a token; null for a token without rules. The service treats an empty list as no rules.
 */
export function accessRulesOf({ identity }: IdentityCloud, token: Token | undefined): AccessRule[] | null {
  const credential = identity.applicationCredentials.get(token?.applicationCredentialId ?? '');
  return credential?.accessRuleIds?.length ? accessRulesWithIds(identity, credential.accessRuleIds) : null;
}

export function accessRulesWithIds({ accessRules }: IdentityState, ids: readonly string[]): AccessRule[] {
  return ids.flatMap((id) => {
    const rule = accessRules.get(id);
    if (rule === undefined) return [];
    const { service, path, method } = rule;
    return [{ id, service, path, method }];
  });
}

/** `*` matches one segment of the path, `**` any text. */
function matches(rule: AccessRule, { service, method, path }: ServiceRequest): boolean {
  if (rule.service !== service || rule.method !== method) return false;
  const pattern = rule.path
    .split('**')
    .map((part) => part.split('*').map(RegExp.escape).join('[^/]+'))
    .join('.*');
  return new RegExp(`^${pattern}$`).test(path);
}
