import type { NetworkRecord } from './networks.ts';

/** The configured external network, or the first by name. Null if there is none. */
export function chooseExternalNetwork(
  external: readonly Pick<NetworkRecord, 'id' | 'name'>[],
  configuredId: string | null,
): string | null {
  const byName = external.toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
  return (byName.find(({ id }) => id === configuredId) ?? byName[0])?.id ?? null;
}
