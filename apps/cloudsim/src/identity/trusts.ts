import { conflict, notFound } from '../common/service-error.ts';
import type { IdentityCloud } from './cloud.ts';
import { find } from './policy.ts';
import type { Trust } from './state.ts';

export function isExpired(cloud: IdentityCloud, { expiresMs }: Trust): boolean {
  return expiresMs !== null && expiresMs <= cloud.clock.now();
}

/** An expired trust is not found by its id, although lists still show it. */
export function findTrust(cloud: IdentityCloud, id: string | undefined): Trust {
  const trust = find(cloud.identity.trusts, id, 'trust');
  if (isExpired(cloud, trust)) throw notFound(`Could not find trust: ${id}.`);
  return trust;
}

/** Stores a new trust. Rejects a second trust with the same users, project and expiry. */
export function addTrust(cloud: IdentityCloud, trust: Trust, expiresAt: string | undefined): void {
  const { trusts, trustKeys } = cloud.identity;
  const { trustorId, trusteeId, projectId, impersonation } = trust;
  const key = [trustorId, trusteeId, projectId, impersonation, expiresAt].join(' ');
  if (expiresAt !== undefined && trustKeys.has(key))
    throw conflict(
      `Conflict occurred attempting to store trust - Duplicate entry found with ID ${trust.id}.`,
    );
  trustKeys.add(key);
  trusts.set(trust.id, trust);
}
