import { createHash, randomBytes } from 'node:crypto';

/** A serialised answer, ready to be sent. */
export interface CachedBody {
  body: Buffer;
  /** A strong entity tag, quotes included. */
  etag: string;
}

/** What is stored: the generation it belongs to, the read that made it, then the answer's tag and body. */
export interface Entry {
  readId: string;
  answer: CachedBody;
}

const STAMP_LENGTH = 16;
const ETAG_LENGTH = 24;
const BODY_AT = 2 * STAMP_LENGTH + ETAG_LENGTH;

/** An id of a generation or of a read. */
export function newStamp(): string {
  return randomBytes(12).toString('base64url');
}

/** Serialises an answer as it would be cached. */
export function pack(answer: unknown): CachedBody {
  const body = Buffer.from(JSON.stringify(answer));
  const digest = createHash('sha256')
    .update(body)
    .digest('base64url')
    .slice(0, ETAG_LENGTH - 2);
  return { body, etag: `"${digest}"` };
}

export function toEntry(generation: string, readId: string, { body, etag }: CachedBody): Buffer {
  return Buffer.concat([Buffer.from(generation + readId + etag), body]);
}

/** Null when nothing is stored, or when the list has been dropped since. */
export function fromEntry(
  stored: Buffer | null | undefined,
  generation: Buffer | null | undefined,
): Entry | null {
  if (!stored || !generation) return null;
  if (stored.compare(generation, 0, generation.length, 0, STAMP_LENGTH) !== 0) return null;
  return {
    readId: stored.toString('latin1', STAMP_LENGTH, 2 * STAMP_LENGTH),
    answer: {
      etag: stored.toString('latin1', 2 * STAMP_LENGTH, BODY_AT),
      body: stored.subarray(BODY_AT),
    },
  };
}
