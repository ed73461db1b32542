import { createHash, randomUUID } from 'node:crypto';

export { randomUUID as newUuid } from 'node:crypto';

/** Identity ids are UUIDs without hyphens. */
export function newHexId(): string {
  return randomUUID().replaceAll('-', '');
}

/** The same id for the same name in every run, so that scripts and tests can refer to seeded resources. */
export function fixedUuid(name: string): string {
  const hex = createHash('sha256').update(`cloudsim:${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function fixedHexId(name: string): string {
  return fixedUuid(name).replaceAll('-', '');
}

/** A MAC address in the range that the network service uses. */
export function newMacAddress(): string {
  const hex = randomUUID();
  return `fa:16:3e:${hex.slice(0, 2)}:${hex.slice(2, 4)}:${hex.slice(4, 6)}`;
}
