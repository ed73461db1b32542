import { type AcceptedEncoding, compress, encodingFor } from './compress.ts';
import type { CachedBody, Entry } from './entry.ts';
import type { CacheKey } from './keys.ts';
import type { ProcessLayer } from './process-layer.ts';
import { RowTable } from './rows/row-table.ts';
import type { Selection } from './rows/selection.ts';
import { selectFromBody } from './select-from-body.ts';
import type { FoundEntry } from './stored-entries.ts';
import type { VersionReads } from './version-reads.ts';

interface SelectedEntriesParts {
  layer: ProcessLayer;
  versions: VersionReads;
}

/**
 * Selections of rows of entries. The process holds them, and the tables of rows from which they are made,
 * next to the entries; other processes make their own.
 */
export class SelectedEntries {
  readonly #layer: ProcessLayer;
  readonly #versions: VersionReads;
  /** The tables that are being read, by the version of their entry. */
  readonly #reads = new Map<string, Promise<RowTable>>();

  constructor({ layer, versions }: SelectedEntriesParts) {
    this.#layer = layer;
    this.#versions = versions;
  }

  /** The selection that this process holds; undefined if it has to be made from the current entry. */
  async find(
    key: CacheKey,
    selection: Selection,
    accepted: AcceptedEncoding,
  ): Promise<FoundEntry | undefined> {
    const selected = selectedKey(key, selection, accepted);
    const held = this.#layer.get(selected);
    if (held === undefined) return undefined;
    if ((await this.#versions.read(key)) === held.version) return { entry: held, outcome: 'process_hit' };
    this.#layer.delete(selected);
    return undefined;
  }

  /** @throws 400 for an unknown marker */
  async select(
    key: CacheKey,
    entry: Entry,
    selection: Selection,
    accepted: AcceptedEncoding,
  ): Promise<CachedBody> {
    const table = entry.table ?? (await this.#readTable(key, entry, selection));
    const content = await encode(selectFromBody(entry.content, table, selection), accepted);
    this.#layer.put(selectedKey(key, selection, accepted), { version: entry.version, content });
    return content;
  }

  /** Reads the table once for all concurrent selections, and holds it with the entry. */
  #readTable(key: CacheKey, entry: Entry, { rowFields }: Selection): Promise<RowTable> {
    const running = this.#reads.get(entry.version);
    if (running !== undefined) return running;
    const read = RowTable.read(entry.content.body, rowFields).finally(() => {
      this.#reads.delete(entry.version);
    });
    this.#reads.set(entry.version, read);
    return read.then((table) => {
      const stored = key.entry;
      if (this.#layer.get(stored)?.version === entry.version) this.#layer.put(stored, { ...entry, table });
      return table;
    });
  }
}

/** Selects rows of a body that no entry has. @throws 400 for an unknown marker */
export async function selectOnce(
  content: CachedBody,
  selection: Selection,
  accepted: AcceptedEncoding,
): Promise<CachedBody> {
  const table = await RowTable.read(content.body, selection.rowFields);
  return encode(selectFromBody(content, table, selection), accepted);
}

async function encode(content: CachedBody, accepted: AcceptedEncoding): Promise<CachedBody> {
  const encoding = encodingFor(content.body.length, accepted);
  if (encoding === null) return content;
  return { ...content, encoding, body: await compress(content.body, encoding) };
}

/** Where the process holds a selection. Its encoding may be plain nevertheless, if it is short. */
function selectedKey(
  key: CacheKey,
  selection: Selection,
  { encoding, allowsPlain }: AcceptedEncoding,
): string {
  return `${key.entry}?${selection.key}:${encoding ?? ''}${allowsPlain ? '' : '!'}`;
}
