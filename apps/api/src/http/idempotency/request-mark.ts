import { derivedId, newId } from '@gateway/core';
import type { KeyedRequest } from './key.ts';

/**
 * A text that a request writes into the resource that it creates, to find the resource if the service's
 * response is lost.
 */
export interface RequestMark {
  value: string;
  /** Marks of the same request under its `Idempotency-Key`, one per sealing key; empty without a key. */
  ofRepeats: readonly string[];
  /** A resource that is older belongs to an earlier use of the key. Milliseconds since the epoch. */
  since: number;
}

/** The mark of a request without a key, which no other request has. */
export function newRequestMark(): RequestMark {
  return { value: newId(), ofRepeats: [], since: 0 };
}

/**
 * Equal for requests with the same key and input. Reveals nothing about the input, whose fingerprints are
 * keyed hashes.
 * @param windowMs how long a key is stored
 */
export function markOf({ digest, fingerprints }: KeyedRequest, windowMs: number): RequestMark {
  const [value, ...others] = fingerprints;
  const mark = derivedId(digest, value);
  const ofRepeats = [mark, ...others.map((other) => derivedId(digest, other))];
  return { value: mark, ofRepeats, since: Date.now() - windowMs };
}
