/** A secret without its payload, which nothing in the simulated cloud reads. */
export interface Secret {
  id: string;
  projectId: string;
  creatorId: string;
  name: string | null;
  type: string;
  algorithm: string | null;
  bitLength: number | null;
  mode: string | null;
  contentType: string;
  createdMs: number;
}

export interface KeyManagerState {
  secrets: Map<string, Secret>;
}

/** The kind of each collection for leak checks; null for what is not counted (`RecordKinds`). */
export const keyManagerKinds = { secrets: 'secrets' } as const;

export function emptyKeyManager(): KeyManagerState {
  return { secrets: new Map() };
}
