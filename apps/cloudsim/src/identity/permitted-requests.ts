import type { IdentityCloud } from './cloud.ts';
import type { AccessRule } from './state.ts';

export interface ServiceRequest {
  /** The type of the service in the catalog. */
  service: string;
  method: string;
  /** The whole path, without the query. */
  path: string;
}

/** Whether the access rules of a token's application credential permit a request. True for tokens without rules. */
export function isPermitted(cloud: IdentityCloud, tokenId: string, request: ServiceRequest): boolean {
  const { applicationCredentials, tokens } = cloud.identity;
  const credentialId = tokens.get(tokenId)?.applicationCredentialId;
  const rules = applicationCredentials.get(credentialId ?? '')?.accessRules ?? null;
  if (rules === null || request.service === 'identity') return true;
  return !cloud.settings.refusesAccessRules && rules.some((rule) => matches(rule, request));
}

/** `*` stands for one segment of the path, `**` for any text. */
function matches(rule: AccessRule, { service, method, path }: ServiceRequest): boolean {
  if (rule.service !== service || rule.method !== method) return false;
  const pattern = rule.path
    .split('**')
    .map((part) => part.split('*').map(RegExp.escape).join('[^/]+'))
    .join('.*');
  return new RegExp(`^${pattern}$`).test(path);
}
