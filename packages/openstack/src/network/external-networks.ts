import type { NetworkRecord } from './networks.ts';

/** Of several external networks the configured one, else the first by name. Null without any. */
export function chooseExternalNetwork(
  external: readonly Pick<NetworkRecord, 'id' | 'name'>[],
  configuredId: string | null,
): string | null {
  const byName = external.toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
  return (byName.find(({ id }) => id === configuredId) ?? byName[0])?.id ?? null;
}
