import type { LibraryDefinition } from '@gateway/config';
import { GatewayError } from '@gateway/core';

/** What is read of a share, in the service's own field names. */
export interface ShareRecord {
  id: string;
  status: string;
  metadata: Record<string, string>;
  share_proto: string;
  created_at: string | null;
}

/**
 * The prebuilt share of each library that has one: available, marked ready, of the version in the catalogue.
 * Of several the newest, so that new instances get the last build while older ones stay on theirs.
 */
export function findPrebuiltShares<Share extends ShareRecord>(
  shares: readonly Share[],
  libraries: readonly LibraryDefinition[],
): Map<string, Share> {
  const found = new Map<string, Share>();
  for (const library of libraries) {
    const newest = shares
      .filter((share) => serves(share, library))
      .sort((a, b) => (b.created_at ?? '').localeCompare(a.created_at ?? '') || a.id.localeCompare(b.id))[0];
    if (newest !== undefined) found.set(library.id, newest);
  }
  return found;
}

/** @returns a 503: prebuilt shares are the gateway's own user's to make and to open */
export function serviceUserMissing(): GatewayError {
  return new GatewayError(
    503,
    'service_user_missing',
    'Prebuilt libraries need the service user of the gateway, and none is configured.',
  );
}

function serves({ status, metadata }: ShareRecord, library: LibraryDefinition): boolean {
  return (
    status === 'available' &&
    metadata.overlay_type === 'prebuilt' &&
    metadata.overlay_library === library.id &&
    metadata.overlay_version === library.version &&
    metadata.overlay_status === 'ready'
  );
}
