import type { Identity } from './credentials/identity.ts';
import { UpstreamError } from './errors/index.ts';

/** Why there is no delegation. `failed`: the identity service did not respond. */
export type DelegationRefusal =
  | 'no_service_user'
  | 'application_credential'
  | 'single_sign_on'
  | 'refused'
  | 'failed';

/** The responses of the identity service if the token or the roles do not allow a delegation. */
const REFUSALS: readonly (number | null)[] = [400, 403, 404, 405];

/** Why the identity service did not create a delegation for this user. */
export function refusalOf(error: unknown, { origin }: Pick<Identity, 'origin'>): DelegationRefusal {
  // A 404 that a proxy sent has become a 502.
  const isRefused = error instanceof UpstreamError && error.status < 500;
  if (!isRefused || !REFUSALS.includes(error.upstreamStatus)) return 'failed';
  return origin === 'application_credential' || origin === 'single_sign_on' ? origin : 'refused';
}

const CAUSES: Record<DelegationRefusal, string> = {
  no_service_user:
    'the gateway has no service user to delegate to. The operator of the gateway can configure one',
  application_credential:
    'the token is of an application credential, which may not delegate. Please use the token of a log-in',
  single_sign_on:
    'your roles come from single sign-on, and the identity service passes on only roles that it stores. ' +
    'Please ask an administrator of the cloud to set `authorization_ttl` of the identity provider, or ' +
    '`default_authorization_ttl` of the identity service, and log in again, ' +
    'or ask for a role of your own in the project',
  refused:
    'the identity service does not let you delegate your roles. ' +
    'Please ask an administrator whether they are assigned to you, and whether users may create trusts',
  failed: 'the identity service could not be asked for one. Please try again',
};

/** The cause and a remedy, for `There is no delegation: ...`. */
export function explainRefusal(refusal: DelegationRefusal): string {
  return `${CAUSES[refusal]}.`;
}
