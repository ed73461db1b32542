import { createHash, randomBytes } from 'node:crypto';
import { formatJson, Slices } from '@gateway/core';
import type { LRUCache } from 'lru-cache';
import type { Encoding } from './compress.ts';
import type { RowTable } from './row-table.ts';
import type { SelectedPart } from './select-rows.ts';

/** A serialized response body, ready to be sent. */
export interface CachedBody {
  body: Buffer;
  /** How the body is compressed; null for plain. */
  encoding: Encoding | null;
  /** The strong entity tag of the plain body, quotes included. */
  etag: string;
  /** False if the body lacks what an unavailable service would have added. */
  isComplete: boolean;
  /** True if the body lacks rows that could not be read, however often they are read. */
  lacksRows: boolean;
  /** True if a row was expected to change by itself when the list was read. */
  isInTransition: boolean;
  /** Of a body that has some rows of a list. */
  part?: SelectedPart;
}

/** What all bodies of a list have in common. */
type Head = Omit<CachedBody, 'body' | 'encoding' | 'part'>;

/**
 * A list as this process knows it. What is stored in Redis is its version, the entity tag, a mark, and one
 * body.
 */
export interface Entry {
  /** The generation, then the id of the load. No other entry ever has the same version. */
  readonly version: string;
  readonly head: Head;
  /** Null if this process has only compressed bodies. */
  plain: Buffer | null;
  /** Compressed bodies that were needed here. */
  readonly compressed: Partial<Record<Encoding, Buffer>>;
  /** Where the rows are, once some were selected. */
  table: RowTable | null;
  /** Selections of rows that were made here, compressed or not; see `Bodies`. */
  selected: LRUCache<string, CachedBody> | null;
}

export function newEntry(version: string, { body, encoding, part: _, ...head }: CachedBody): Entry {
  const compressed = encoding === null ? {} : { [encoding]: body };
  return { version, head, plain: encoding === null ? body : null, compressed, table: null, selected: null };
}

/** Null if the entry has no such body. */
export function bodyOf({ compressed, head, plain }: Entry, encoding: Encoding | null): CachedBody | null {
  const body = encoding === null ? plain : compressed[encoding];
  return body == null ? null : { ...head, body, encoding };
}

const ID_LENGTH = 16;
const ETAG_LENGTH = 24;
const VERSION_LENGTH = 2 * ID_LENGTH;
const MARK_OFFSET = VERSION_LENGTH + ETAG_LENGTH;
const BODY_OFFSET = MARK_OFFSET + 1;

export type Condition = Pick<CachedBody, 'isComplete' | 'lacksRows' | 'isInTransition'>;

/** The mark before a body: one for each condition, by its number. A newer form has other marks. */
const MARKS = ['+', '-', '*', '/', '>', '<', '}', '{'];

const TIME_BYTES = 6;

/** A random id of a generation. */
export function randomId(): string {
  return randomBytes(12).toString('base64url');
}

/** The id of a load that begins now. */
export function newLoadId(): string {
  const id = randomBytes(12);
  id.writeUIntBE(Date.now(), 0, TIME_BYTES);
  return id.toString('base64url');
}

/** When the load of the entry with this version began. Milliseconds since the epoch. */
export function loadTimeOf(version: string): number {
  return Buffer.from(version.slice(ID_LENGTH), 'base64url').readUIntBE(0, TIME_BYTES);
}

/** Serializes a response and computes its entity tag; a long list in slices. */
export async function serialize(
  response: unknown,
  { isComplete = true, lacksRows = false, isInTransition = false }: Partial<Condition> = {},
): Promise<CachedBody> {
  const condition = { isComplete, lacksRows, isInTransition };
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  for await (const text of formatJson(response)) {
    const part = Buffer.from(text);
    hash.update(part);
    parts.push(part);
  }
  const digest = hash.digest('base64url').slice(0, ETAG_LENGTH - 2);
  const etag = `"${digest}"`;
  const [only = Buffer.alloc(0)] = parts;
  if (parts.length <= 1) return { body: only, encoding: null, etag, ...condition };
  // Neither the slice before nor what the caller does with a long body is added to the copy.
  await new Slices().pause();
  const body = Buffer.concat(parts);
  await new Slices().pause();
  return { body, encoding: null, etag, ...condition };
}

/** A copy, if the body is a slice of a larger buffer, all of which would stay in memory. */
export function detached(body: Buffer): Buffer {
  if (body.length === body.buffer.byteLength) return body;
  const copy = Buffer.allocUnsafeSlow(body.length);
  body.copy(copy);
  return copy;
}

/** What an entry stores before its body. */
export function headOf({ version, head }: Entry): string {
  return version + head.etag + MARKS[numberOf(head)];
}

function numberOf({ isComplete, lacksRows, isInTransition }: Condition): number {
  return (isComplete ? 0 : 1) + (lacksRows ? 2 : 0) + (isInTransition ? 4 : 0);
}

function conditionOf(number: number): Condition {
  return {
    isComplete: number % 2 === 0,
    lacksRows: number % 4 >= 2,
    isInTransition: number >= 4,
  };
}

export function generationOf({ version }: Entry): string {
  return version.slice(0, ID_LENGTH);
}

/**
 * Returns null if nothing is stored, if the entry has another generation or version, which makes it outdated,
 * or if it has a newer form.
 */
export function decodeEntry(
  stored: Buffer | null | undefined,
  current: Buffer | null | undefined,
  encoding: Encoding | null = null,
): Entry | null {
  if (!stored || !current) return null;
  if (stored.compare(current, 0, current.length, 0, current.length) !== 0) return null;
  const number = MARKS.indexOf(stored.toString('latin1', MARK_OFFSET, BODY_OFFSET));
  if (number === -1) return null;
  return newEntry(stored.toString('latin1', 0, VERSION_LENGTH), {
    etag: stored.toString('latin1', VERSION_LENGTH, MARK_OFFSET),
    ...conditionOf(number),
    body: stored.subarray(BODY_OFFSET),
    encoding,
  });
}

/**
 * Returns the version of the stored entry; null if nothing is stored, or if the list has been dropped since.
 */
export function currentVersion(
  version: Buffer | null | undefined,
  generation: Buffer | null | undefined,
): string | null {
  if (!version || !generation) return null;
  const isCurrent = version.compare(generation, 0, generation.length, 0, generation.length) === 0;
  return isCurrent ? version.toString('latin1') : null;
}
