import { createHash, randomUUID } from 'node:crypto';

const REQUEST_ID = /^req-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A new request id, in the form that OpenStack services accept as a global request id: `req-<uuid>`. */
export function newRequestId(): string {
  return `req-${randomUUID()}`;
}

/** The first candidate that is a valid request id; otherwise a new id. */
export function requestIdFrom(...candidates: (string | undefined)[]): string {
  return candidates.find((id) => id !== undefined && REQUEST_ID.test(id)) ?? newRequestId();
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the text has the form of an id from `newId`. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/**
 * The id of a resource of the cloud. Ids become part of the paths of calls to its services, so an id has no
 * slash and is neither `.` nor `..`.
 */
export const RESOURCE_ID = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,255}$/;

/** An id that people choose, and that a service may therefore have in any characters that a path can have. */
export const CHOSEN_ID = /^(?!\.{1,2}$)(?! )[^\p{Cc}\u2028\u2029/]{1,255}(?<! )$/u;

/** A new UUID, for jobs and records. */
export function newId(): string {
  return randomUUID();
}

/** The same id for the same parts, in the form of `newId`. */
export function derivedId(...parts: (string | number)[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

/** SHA-256 of a secret (hex, 64 characters), for use in keys. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** A number from 0 to below 1 that depends only on the text, to spread what would happen at once. */
export function fractionOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}
