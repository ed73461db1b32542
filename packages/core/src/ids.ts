import { createHash, randomUUID } from 'node:crypto';

const REQUEST_ID = /^req-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A request id in the form that every OpenStack service accepts as a global one: `req-<uuid>`. */
export function newRequestId(): string {
  return `req-${randomUUID()}`;
}

/** The caller's request id when it has that form, else a new one. */
export function requestIdFrom(...candidates: (string | undefined)[]): string {
  return candidates.find((id) => id !== undefined && REQUEST_ID.test(id)) ?? newRequestId();
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the text has the form of an id that `newId` gives. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** A UUID: for jobs, records and whatever else the gateway names itself. */
export function newId(): string {
  return randomUUID();
}

/** Stands for a secret where it serves as a key (hex, 64 characters); the secret can not be had back from it. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
