import type { IdentityConfig } from '@gateway/config';
import { unauthorized } from '@gateway/core';
import { type CatalogEntry, resolveEndpoints } from '../catalog.ts';
import type { AuthReceipt, Identity } from '../credentials/identity.ts';
import { invalidResponseError } from '../errors/from-response.ts';
import type { UpstreamResponse } from '../transport.ts';

/** The `token` object in responses of the identity service. */
interface TokenBody {
  expires_at: string;
  /** The token's own audit id; for a rescoped token, also that of the first token in its chain. */
  audit_ids?: string[];
  user: { id: string; name: string; domain: { id: string; name: string }; 'OS-FEDERATION'?: object };
  'OS-TRUST:trust'?: { id: string };
  'OS-OAUTH1'?: { access_token_id: string };
  /** Absent if the token has no project. */
  project?: { id: string; name: string; domain: { id: string; name: string } };
  /** Absent unless the service is configured with an administrators' project. */
  is_admin_project?: boolean;
  roles?: { id: string; name: string }[];
  catalog?: CatalogEntry[];
  application_credential?: { id: string; access_rules?: unknown[] };
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
  const { token: body } = response.body as { token?: TokenBody };
  if (body?.user === undefined) {
    throw invalidResponseError({ service: 'identity', operation }, response, 'The response has no user.');
  }
  const projectId = body.project?.id ?? '';
  return {
    token,
    projectId,
    projectName: body.project?.name ?? '',
    projectDomainId: body.project?.domain.id ?? '',
    projectDomainName: body.project?.domain.name ?? '',
    userId: body.user.id,
    userName: body.user.name,
    userDomainId: body.user.domain.id,
    userDomainName: body.user.domain.name,
    roles: (body.roles ?? []).map((role) => role.name),
    expiresAt: body.expires_at,
    chainId: body.audit_ids?.at(-1) ?? '',
    endpoints: resolveEndpoints(body.catalog ?? [], config, projectId),
    ...(body.is_admin_project === true && { isAdminProject: true }),
    ...originOf(body),
    ...limitOf(body),
    ...(body.application_credential?.access_rules !== undefined && { hasAccessRules: true }),
  };
}

/** @throws a 401 for the token of an application credential with access rules */
export function refuseAccessRules(identity: Identity): void {
  if (identity.hasAccessRules === true) throw unauthorized(ACCESS_RULES);
}

function originOf(body: TokenBody): Pick<Identity, 'origin'> {
  if (body.application_credential !== undefined) return { origin: 'application_credential' };
  if (body['OS-TRUST:trust'] !== undefined) return { origin: 'trust' };
  return body.user['OS-FEDERATION'] === undefined ? {} : { origin: 'single_sign_on' };
}

function limitOf(body: TokenBody): Pick<Identity, 'limitedBy'> {
  const { application_credential: credential, 'OS-TRUST:trust': trust, 'OS-OAUTH1': access } = body;
  if (credential !== undefined) return { limitedBy: `application_credential:${credential.id}` };
  if (trust !== undefined) return { limitedBy: `trust:${trust.id}` };
  return access === undefined ? {} : { limitedBy: `oauth1:${access.access_token_id}` };
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
