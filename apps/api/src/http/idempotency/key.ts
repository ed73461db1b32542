import type { IncomingMessage } from 'node:http';
import { fingerprint, invalidInput, type Sealer } from '@gateway/core';

/** Printable ASCII, which is what a header field can carry without being read in two ways. */
const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** Who asks for what: two requests with the same of it are one, when their key is the same, too. */
export interface KeyScope {
  key: string;
  /** The user, or the peer's address where anybody may call. */
  caller: string;
  projectId: string;
  /** The declared path, with what stands for its parameters. */
  path: string;
  params: unknown;
}

/** A request that is to take effect once. */
export interface KeyedRequest {
  /** Stands for the caller, whose keys are counted. */
  caller: string;
  /** Stands for key, caller, project and path. */
  digest: string;
  /** Stands for what was sent; the first is to be stored, each of them may be found stored. */
  fingerprints: [string, ...string[]];
}

/**
 * The key that the caller has given to a request, if any.
 * @throws 400 for one that is too long, or not printable, or given twice.
 */
export function idempotencyKeyOf({ headersDistinct }: IncomingMessage): string | undefined {
  const given = headersDistinct['idempotency-key'];
  if (given === undefined) return undefined;
  const [key = '', ...others] = given;
  if (others.length === 0 && PRINTABLE.test(key)) return key;
  throw invalidInput('The Idempotency-Key header must be one text of 1 to 255 printable characters.', {
    errors: [{ field: 'header.Idempotency-Key', message: 'must be 1 to 255 printable characters' }],
  });
}

/** `sent` may hold a password, so that only whoever has the sealing keys can tell whether it was the same. */
export function keyedRequest(
  sealer: Sealer,
  { key, caller, projectId, path, params }: KeyScope,
  sent: unknown,
): KeyedRequest {
  const digest = fingerprint(canonicalJson([key, caller, projectId, path, params]));
  return {
    caller: fingerprint(caller),
    digest,
    fingerprints: sealer.fingerprints(`idempotency:${digest}`, canonicalJson(sent)),
  };
}

/** The same text for the same value, in whatever order the fields of its objects were written. */
function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value, (_name, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
  return text ?? '';
}
