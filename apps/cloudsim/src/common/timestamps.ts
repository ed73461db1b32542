/** `2026-01-02T03:04:05Z`: servers, images, networks. */
export function seconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** `2026-01-02T03:04:05.000000`: volumes, key pairs, launch times; without a zone, meaning UTC. */
export function microseconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}.000000`;
}

/** `2026-01-02T03:04:05.678000`: shares. */
export function exactMicroseconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000`;
}

/** `2026-01-02T03:04:05.000000Z`: tokens and trusts. */
export function tokenTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}.000000Z`;
}
