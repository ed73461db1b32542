import type { Identity } from './credentials/identity.ts';
import { isCredentialRejected, isNotFound } from './errors/index.ts';

/**
 * Removes a resource with the first of these identities that may do so; null stands for an unavailable
 * identity. A missing resource counts as removed. Returns false if none of the identities may remove it.
 */
export async function removeAsAny(
  identities: readonly (() => Promise<Identity | null>)[],
  remove: (identity: Identity) => Promise<void>,
): Promise<boolean> {
  for (const getIdentity of identities) {
    try {
      const identity = await getIdentity();
      if (identity === null) continue;
      await remove(identity);
      return true;
    } catch (error) {
      if (isNotFound(error)) return true;
      if (!isCredentialRejected(error)) throw error;
    }
  }
  return false;
}
