import { unauthorized } from '@gateway/core';
import type { IdentityConfig } from '@gateway/platform';
import { catalogEntry, resolveEndpoints } from '../catalog.ts';
import type { AuthReceipt, Identity } from '../credentials/identity.ts';
import { invalidResponseError } from '../errors/from-response.ts';
import { flag, item, key, listOf, part, partOrNull, text } from '../records/fields.ts';
import { declareRecord } from '../records/record.ts';
import type { UpstreamResponse } from '../transport.ts';

const named = { id: text(), name: text() };

/** The `token` object in responses of the identity service. */
const tokenRecord = declareRecord('identity', 'token', {
  expires_at: key(),
  /** The token's own audit id; for a rescoped token, also that of the first token in its chain. */
  audit_ids: listOf(key()),
  user: item({ id: key(), name: text(), domain: part(named) }),
  /** Null if the token has no project. */
  project: partOrNull({ id: key(), name: text(), domain: part(named) }),
  /** False unless the service is configured with an administrators' project. */
  is_admin_project: flag(false),
  roles: listOf(item({ name: key() })),
  catalog: listOf(catalogEntry.schema),
});

/** What limits the rights of a token, as it is sent, so that nothing odd is taken for no limit. */
interface TokenLimits {
  user: { 'OS-FEDERATION'?: object };
  'OS-TRUST:trust'?: { id?: string } | null;
  'OS-OAUTH1'?: { access_token_id?: string } | null;
  application_credential?: { id?: string; access_rules?: unknown } | null;
}

/** The body of a 401 with a receipt. */
interface ReceiptBody {
  receipt: { methods: string[]; user: { id: string }; expires_at: string };
  required_auth_methods: string[][];
}

/** The header of a response or request with a receipt. */
export const RECEIPT_HEADER = 'openstack-auth-receipt';

const ACCESS_RULES =
  'The token is of an application credential with access rules, which is for single requests to services only. Please use one without access rules, or log in.';

/** @throws a 502 for a response without a user */
export function identityOf(
  config: IdentityConfig,
  token: string,
  response: UpstreamResponse,
  operation: string,
): Identity {
  const { token: sent } = response.body as { token?: unknown };
  const body = tokenRecord.read(sent);
  if (body === null) {
    throw invalidResponseError({ service: 'identity', operation }, response, 'The response has no user.');
  }
  const limits = sent as TokenLimits;
  const { project, user } = body;
  const projectId = project?.id ?? '';
  return {
    token,
    projectId,
    projectName: project?.name ?? '',
    projectDomainId: project?.domain.id ?? '',
    projectDomainName: project?.domain.name ?? '',
    userId: user.id,
    userName: user.name,
    userDomainId: user.domain.id,
    userDomainName: user.domain.name,
    roles: body.roles.map((role) => role.name),
    expiresAt: body.expires_at,
    chainId: body.audit_ids.at(-1) ?? '',
    endpoints: resolveEndpoints(body.catalog, config, projectId),
    ...(body.is_admin_project && { isAdminProject: true }),
    ...originOf(limits),
    ...limitOf(limits),
    ...(limits.application_credential?.access_rules !== undefined && { hasAccessRules: true }),
  };
}

/** @throws a 401 for the token of an application credential with access rules */
export function refuseAccessRules(identity: Identity): void {
  if (identity.hasAccessRules === true) throw unauthorized(ACCESS_RULES);
}

function originOf(body: TokenLimits): Pick<Identity, 'origin'> {
  if ((body.application_credential ?? null) !== null) return { origin: 'application_credential' };
  if ((body['OS-TRUST:trust'] ?? null) !== null) return { origin: 'trust' };
  return body.user['OS-FEDERATION'] === undefined ? {} : { origin: 'single_sign_on' };
}

function limitOf(body: TokenLimits): Pick<Identity, 'limitedBy'> {
  const { application_credential: credential, 'OS-TRUST:trust': trust, 'OS-OAUTH1': access } = body;
  if (credential) return { limitedBy: `application_credential:${credential.id}` };
  if (trust) return { limitedBy: `trust:${trust.id}` };
  return !access ? {} : { limitedBy: `oauth1:${access.access_token_id}` };
}

/** @throws a 502 for a response without a complete receipt */
export function receiptOf(response: UpstreamResponse, operation: string): AuthReceipt {
  const { receipt: body, required_auth_methods: requiredMethods = [] } =
    response.body as Partial<ReceiptBody>;
  const receipt = response.headers[RECEIPT_HEADER];
  if (body?.user === undefined || typeof receipt !== 'string') {
    throw invalidResponseError({ service: 'identity', operation }, response, 'The receipt is not complete.');
  }
  const { expires_at: expiresAt, methods, user } = body;
  return { receipt, userId: user.id, methods, requiredMethods, expiresAt };
}
