import type { IncomingMessage } from 'node:http';
import { fingerprint, invalidInput, type Sealer } from '@gateway/core';

/** Printable ASCII, which every HTTP implementation reads in the same way. */
const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** The scope of a key. Two requests with equal scopes are the same request. */
interface KeyScope {
  key: string;
  /** The user, or the client's address for a public endpoint. */
  caller: string;
  projectId: string;
  /** The declared path, with the names of its parameters. */
  path: string;
  params: unknown;
}

/** A request with a key, reduced to hashes. */
export interface KeyedRequest {
  /** Hash of the caller, whose keys are counted. */
  caller: string;
  /** Hash of the scope. */
  digest: string;
  /**
   * Keyed hashes of the input, one per sealing key. The first one is stored; the others match older records.
   */
  fingerprints: [string, ...string[]];
}

/**
 * The request's key, if any.
 * @throws 400 for a key that is too long, not printable or sent twice.
 */
export function idempotencyKeyOf({ headersDistinct }: IncomingMessage): string | undefined {
  const given = headersDistinct['idempotency-key'];
  if (given === undefined) return undefined;
  const [key = '', ...others] = given;
  if (others.length === 0 && PRINTABLE.test(key)) return key;
  throw invalidInput('The Idempotency-Key header must be a single value of 1 to 255 printable characters.', {
    errors: [{ field: 'header.Idempotency-Key', message: 'must be 1 to 255 printable characters' }],
  });
}

/** The input may hold a password. Its fingerprints can therefore only be computed with the sealing keys. */
export function keyedRequest(
  sealer: Sealer,
  { key, caller, projectId, path, params }: KeyScope,
  input: unknown,
): KeyedRequest {
  const digest = fingerprint(canonicalJson([key, caller, projectId, path, params]));
  return {
    caller: fingerprint(caller),
    digest,
    fingerprints: sealer.fingerprints(`idempotency:${digest}`, canonicalJson(input)),
  };
}

/** JSON with sorted field names: equal values give equal text. */
function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value, (_name, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
  return text ?? '';
}
