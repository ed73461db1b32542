import { Slices } from './slices.ts';

/** A shorter text is parsed in less than a slice. */
const LONG_TEXT = 200_000;
/** About the length of text that is parsed at once. */
const PART_LENGTH = 32_768;

/** The maximum number of blanks between a key and its value. */
const MAX_BLANKS = 16;

const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Maps the items of a list in an object. */
export interface ItemShape {
  /** The key of the list. */
  key: string;
  present(item: unknown): unknown;
}

/**
 * Like `JSON.parse`. A long text is parsed in slices if it is a list, or an object whose members are lists,
 * such as a page of a cloud service. With a shape, each item is replaced as soon as it is parsed, so that
 * only a few are in memory.
 * @throws SyntaxError, and the errors of `present`
 */
export async function parseJson(text: string, shape?: ItemShape): Promise<unknown> {
  const first = text.length < LONG_TEXT ? undefined : text.trimStart()[0];
  if (first === '[') return new LongText(text, 1).parse();
  if (first === '{') return new LongText(text, 2, shape).parse();
  const value: unknown = JSON.parse(text);
  if (shape === undefined) return value;
  const list = (value as Record<string, unknown> | null)?.[shape.key];
  if (!Array.isArray(list)) return value;
  return { ...(value as object), [shape.key]: list.map((item) => shape.present(item)) };
}

/**
 * Cuts the lists at one depth out of the text, parses some of their items at a time, and inserts them into
 * the rest, which is parsed last. Cuts only at commas between items, so that `JSON.parse` sees every other
 * character and rejects invalid JSON.
 */
class LongText {
  readonly #text: string;
  /** 1 for a text that is a list, 2 for lists in an object. */
  readonly #depth: number;
  readonly #shape: ItemShape | undefined;
  readonly #slices = new Slices();
  /** The text without the items of the lists. Each list contains its number instead. */
  #rest = '';
  readonly #lists: unknown[][] = [];

  constructor(text: string, depth: number, shape?: ItemShape) {
    this.#text = text;
    this.#depth = depth;
    this.#shape = shape;
  }

  async parse(): Promise<unknown> {
    const text = this.#text;
    let depth = 0;
    let copied = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = endOfString(text, at);
      else if (code === OPEN_OBJECT) depth += 1;
      else if (code === OPEN_LIST) {
        depth += 1;
        if (depth !== this.#depth) continue;
        this.#rest += `${text.slice(copied, at + 1)}${this.#lists.length}`;
        copied = await this.#parseList(at + 1, this.#isShaped(at));
        at = copied - 1;
      } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    }
    await this.#slices.pause();
    const rest: unknown = JSON.parse(this.#rest + text.slice(copied));
    if (this.#depth === 1) return this.#lists[0];
    return this.#withLists(rest as Record<string, unknown>);
  }

  /** Parses the items of a list, and returns the position of its closing bracket. */
  async #parseList(start: number, isShaped: boolean): Promise<number> {
    const text = this.#text;
    const items: unknown[] = [];
    const add = (part: string) => {
      for (const item of parseItems(part)) items.push(isShaped ? this.#shape?.present(item) : item);
    };
    this.#lists.push(items);
    let depth = 0;
    let partStart = start;
    await this.#slices.pause();
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = endOfString(text, at);
      else if (code === OPEN_OBJECT || code === OPEN_LIST) depth += 1;
      else if (depth > 0 && (code === CLOSE_OBJECT || code === CLOSE_LIST)) depth -= 1;
      else if (depth === 0 && code === CLOSE_LIST) {
        const last = text.slice(partStart, at);
        if (partStart === start && last.trim() === '') return at;
        add(last);
        return at;
      } else if (depth === 0 && code === COMMA && at - partStart >= PART_LENGTH) {
        add(text.slice(partStart, at));
        partStart = at + 1;
        await this.#slices.pause();
      }
    }
    throw new SyntaxError('A list does not end.');
  }

  /** Whether the shape applies to the list that begins here. */
  #isShaped(start: number): boolean {
    if (this.#shape === undefined) return false;
    const key = JSON.stringify(this.#shape.key);
    const before = this.#text.slice(Math.max(0, start - key.length - MAX_BLANKS), start).trimEnd();
    return before.endsWith(':') && before.slice(0, -1).trimEnd().endsWith(key);
  }

  /** Replaces the numbered lists by their parsed items, in the order of the text. */
  #withLists(rest: Record<string, unknown>): Record<string, unknown> {
    for (const [key, value] of Object.entries(rest)) {
      if (Array.isArray(value)) rest[key] = this.#lists[value[0] as number];
    }
    return rest;
  }
}

/** Parses one or more items. */
function parseItems(text: string): unknown[] {
  if (text.trim() === '') throw new SyntaxError('A list has a comma without an item.');
  return JSON.parse(`[${text}]`) as unknown[];
}

/** The position of the quote that ends the string which begins here. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  throw new SyntaxError('A string does not end.');
}
