import { conflict, notFound } from '../common/service-error.ts';
import type { IdentityCloud } from './cloud.ts';
import { find } from './policy.ts';
import type { Trust } from './state.ts';

export function isOver(cloud: IdentityCloud, { expiresMs }: Trust): boolean {
  return expiresMs !== null && expiresMs <= cloud.clock.now();
}

/** A trust that has ended is there no more for whoever asks for it by its id; lists show it still. */
export function findTrust(cloud: IdentityCloud, id: string | undefined): Trust {
  const trust = find(cloud.identity.trusts, id, 'trust');
  if (isOver(cloud, trust)) throw notFound(`Could not find trust: ${id}.`);
  return trust;
}

/** Keeps a new trust, unless there was one between the same users, for the same project and to the same end. */
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
