import type { Identity } from './credentials/identity.ts';
import { isCredentialRejected, isNotFound } from './errors/index.ts';

/**
 * Removes something with the first of these identities that may; null for one that is not available. What is not there counts as
 * removed. False if none of them may.
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
