import { createHash } from 'node:crypto';
import { SingleFlight } from '@gateway/core';
import { LRUCache } from 'lru-cache';
import { type AcceptedEncoding, compress, type Encoding, encodingFor } from './compress.ts';
import { bodyOf, type CachedBody, detached, type Entry } from './entry.ts';
import { RowTable } from './row-table.ts';
import { type Selection, selectRows } from './select-rows.ts';

/** Which part of a list a reader gets, and in which encoding. */
export interface ReadOptions {
  /** Plain by default. */
  accepted?: AcceptedEncoding;
  /** Some of the rows; all by default. */
  selection?: Selection | undefined;
}

const PLAIN: AcceptedEncoding = { encoding: null, allowsPlain: true };
const TAG_LENGTH = 22;
/** The selections of an entry take about as much as its list, and those of a short list this. */
const MIN_SELECTED_BYTES = 65_536;
/** Roughly what a selection takes besides its body. */
const OVERHEAD_BYTES = 512;

/** The encoding in which a body is read from Redis: a selection is made from the plain one. */
export function storedEncoding({ accepted = PLAIN, selection }: ReadOptions): Encoding | null {
  return selection === undefined ? accepted.encoding : null;
}

/** Whether the reader's body is in memory, or can be made from what is. */
export function hasBody(entry: Entry, { accepted = PLAIN, selection }: ReadOptions): boolean {
  const { compressed, plain } = entry;
  if (selection !== undefined) return plain !== null;
  const encoding = plain === null ? accepted.encoding : encodingFor(plain.length, accepted);
  return encoding === null ? plain !== null : compressed[encoding] !== undefined;
}

/** Makes the bodies that readers get, once for all concurrent readers, and keeps them in their entries. */
export class Bodies {
  /** By the version of the entry. */
  readonly #compressions = new SingleFlight<Buffer>();
  readonly #tables = new SingleFlight<RowTable>();

  /**
   * The body for a reader.
   * @param onMade called when the entry has got a further body: compressed in this encoding, or selected
   * @throws 400 for a selection with an unknown marker
   */
  async of(
    entry: Entry,
    { accepted = PLAIN, selection }: ReadOptions,
    onMade: (encoding: Encoding | 'selected') => void = () => {},
  ): Promise<CachedBody> {
    if (selection !== undefined) return this.#select(entry, selection, accepted, () => onMade('selected'));
    const encoding = entry.plain === null ? accepted.encoding : encodingFor(entry.plain.length, accepted);
    if (encoding === null) return plainOf(entry);
    const known = bodyOf(entry, encoding);
    if (known !== null) return known;
    const body = await this.#compressions.run(`${entry.version} ${encoding}`, async () => {
      const made = await compress(plainOf(entry).body, encoding);
      entry.compressed[encoding] = made;
      onMade(encoding);
      return made;
    });
    return { ...entry.head, body, encoding };
  }

  async #select(
    entry: Entry,
    selection: Selection,
    accepted: AcceptedEncoding,
    onMade: () => void,
  ): Promise<CachedBody> {
    const name = nameOf(selection, accepted);
    const known = entry.selected?.get(name);
    if (known !== undefined) return known;
    const plain = plainOf(entry);
    entry.table ??= await this.#tables.run(entry.version, () =>
      RowTable.read(plain.body, selection.rowFields),
    );
    const content = await encode(selectFromBody(plain, entry.table, selection), accepted);
    entry.selected ??= new LRUCache({
      maxSize: Math.max(MIN_SELECTED_BYTES, plain.body.length + OVERHEAD_BYTES),
      sizeCalculation: ({ body }) => body.length + OVERHEAD_BYTES,
    });
    entry.selected.set(name, { ...content, body: detached(content.body) });
    onMade();
    return content;
  }
}

function plainOf(entry: Entry): CachedBody {
  const plain = bodyOf(entry, null);
  if (plain === null) throw new Error('The plain body of an entry was not read.');
  return plain;
}

/**
 * The selected rows of a plain body, with an entity tag of their own.
 * @throws 400 for an unknown marker
 */
export function selectFromBody(content: CachedBody, table: RowTable, selection: Selection): CachedBody {
  const { rows, total, nextMarker } = selectRows(table, selection);
  const body = table.cut(content.body, rows);
  // The headers about the part belong to what a client has.
  const hash = createHash('sha256')
    .update(JSON.stringify([total, nextMarker]))
    .update(body);
  const etag = `"${hash.digest('base64url').slice(0, TAG_LENGTH)}"`;
  return { ...content, body, etag, part: { total, nextMarker } };
}

async function encode(content: CachedBody, accepted: AcceptedEncoding): Promise<CachedBody> {
  const encoding = encodingFor(content.body.length, accepted);
  if (encoding === null) return content;
  return { ...content, encoding, body: await compress(content.body, encoding) };
}

/** The same for equal selections. Its encoding may be plain nevertheless, if it is short. */
function nameOf(selection: Selection, { encoding, allowsPlain }: AcceptedEncoding): string {
  return `${selection.key}:${encoding ?? ''}${allowsPlain ? '' : '!'}`;
}
