import type { CallContext } from './call.ts';
import type { Openstack } from './client.ts';
import type { Identity } from './credentials/identity.ts';
import { nullIfNotFound } from './errors/index.ts';
import type { NewApplicationCredentialRecord } from './identity/application-credentials.ts';
import { isRefusedByMultiFactorRules } from './identity/tokens.ts';

type NewCredential = Pick<NewApplicationCredentialRecord, 'id' | 'secret'> &
  Partial<Pick<NewApplicationCredentialRecord, 'access_rules'>>;

/**
 * Logs in with a new application credential. The identity service creates credentials for users whose
 * multi-factor rules refuse every log-in with them. Such a credential is removed, with its access rules. Any
 * other failure says nothing about the credential, and is left to its first use.
 *
 * @throws the 403 of the log-in, which says who can change the rules
 */
export async function refuseUselessCredential(
  openstack: Openstack,
  owner: Identity,
  { access_rules: rules, id, secret }: NewCredential,
  call: CallContext,
): Promise<void> {
  const refusal = await openstack.identity.authenticateApplicationCredential({ id, secret }, call).then(
    () => null,
    (error: unknown) => error,
  );
  if (!isRefusedByMultiFactorRules(refusal)) return;
  const { accessRules, applicationCredentials } = openstack.as(owner, call).identity;
  await nullIfNotFound(applicationCredentials.remove(owner.userId, id));
  for (const rule of rules ?? []) {
    // A rule that another credential has stays: the service refuses to remove it.
    await accessRules.remove(owner.userId, rule.id).catch(() => {});
  }
  throw refusal;
}
