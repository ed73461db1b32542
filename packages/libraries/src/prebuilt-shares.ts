import { GatewayError } from '@gateway/core';
import type { LibraryDefinition } from '@gateway/platform';
import { fromServiceProtocol } from './share-protocol.ts';

/** The fields that identify a prebuilt share, with the field names of the service. */
export interface ShareRecord {
  id: string;
  status: string;
  /** Null if the service does not say it. */
  metadata: Readonly<Record<string, string>> | null;
  share_proto: string;
  created_at: string | null;
}

/** The shares of the reader's project, and public shares. */
export const PREBUILT_QUERY = { is_public: true } as const;

/** The shares of the shared file system service. */
export interface ShareReader<Share extends ShareRecord> {
  list(query: typeof PREBUILT_QUERY): Promise<Share[]>;
}

/**
 * Finds the prebuilt share of each library that has one. Considers only shares of administrators: those of
 * the gateway's own project, and public shares, which only administrators can create. Metadata is no
 * evidence, because users can write any metadata on their own shares.
 *
 * @param shares with the rights of the gateway's own user
 */
export async function readPrebuiltShares<Share extends ShareRecord>(
  shares: ShareReader<Share>,
  libraries: readonly LibraryDefinition[],
): Promise<Map<string, Share>> {
  const all = await shares.list(PREBUILT_QUERY);
  const usable = all.filter(({ share_proto }) => fromServiceProtocol(share_proto) !== null);
  return findPrebuiltShares(usable, libraries);
}

/**
 * The prebuilt share of each library that has one: available, marked as ready, and of the catalogue's
 * version. If there are several, the newest: new instances use the latest build, and existing instances keep
 * the share they were created with.
 */
export function findPrebuiltShares<Share extends ShareRecord>(
  shares: readonly Share[],
  libraries: readonly LibraryDefinition[],
): Map<string, Share> {
  const found = new Map<string, Share>();
  for (const library of libraries) {
    const newest = shares
      .filter((share) => isUsable(share, library))
      .sort((a, b) => (b.created_at ?? '').localeCompare(a.created_at ?? '') || a.id.localeCompare(b.id))[0];
    if (newest !== undefined) found.set(library.id, newest);
  }
  return found;
}

/** The 503 for clouds without a service user, which owns prebuilt shares and grants access to them. */
export function serviceUserMissing(): GatewayError {
  return new GatewayError(
    503,
    'service_user_missing',
    'Prebuilt libraries require a user of the gateway: the configuration does not define service_user.',
  );
}

function isUsable({ status, metadata }: ShareRecord, library: LibraryDefinition): boolean {
  return (
    status === 'available' &&
    metadata?.overlay_type === 'prebuilt' &&
    metadata?.overlay_library === library.id &&
    metadata?.overlay_version === library.version &&
    metadata?.overlay_status === 'ready'
  );
}
