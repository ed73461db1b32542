import { StringDecoder } from 'node:string_decoder';
import { Slices } from './slices.ts';

/** A shorter text is parsed in less than a slice. In bytes. */
const LONG_TEXT = 200_000;
/** About the length of text that is parsed at once. */
const PART_LENGTH = 32_768;
/** The number of bytes that are decoded at once. */
const DECODED_BYTES = 65_536;

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
 * Like `JSON.parse`, of a text in UTF-8 whose parts are taken out of `parts` as they are parsed. A long text
 * is parsed in slices if it is a list, or an object whose members are lists, such as a page of a cloud
 * service. With a shape, each item is replaced as soon as it is parsed. So the heap has only a part of the
 * text at once.
 * @throws SyntaxError, and the errors of `present`
 */
export async function parseJson(parts: Uint8Array[], shape?: ItemShape): Promise<unknown> {
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  if (bytes >= LONG_TEXT) return new LongText(new Tokens(parts), shape).parse();
  const value: unknown = JSON.parse(decode(parts));
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
  readonly #tokens: Tokens;
  readonly #shape: ItemShape | undefined;
  readonly #slices = new Slices();
  /** The text without the items of the lists. Each list contains its number instead. */
  #rest = '';
  readonly #lists: unknown[][] = [];

  constructor(tokens: Tokens, shape?: ItemShape) {
    this.#tokens = tokens;
    this.#shape = shape;
  }

  async parse(): Promise<unknown> {
    const tokens = this.#tokens;
    const first = tokens.next();
    const isList = first === OPEN_LIST;
    const depthOfLists = isList ? 1 : 2;
    let depth = 0;
    for (let token = first; token !== null; token = tokens.next()) {
      if (token === OPEN_OBJECT) depth += 1;
      else if (token === OPEN_LIST) {
        depth += 1;
        if (depth !== depthOfLists) continue;
        const before = tokens.takeBefore();
        this.#rest += `${before}[${this.#lists.length}]`;
        await this.#parseList(!isList && this.#isShaped(before));
        depth -= 1;
      } else if (token === CLOSE_LIST || token === CLOSE_OBJECT) depth -= 1;
    }
    await this.#slices.pause();
    const rest: unknown = JSON.parse(this.#rest + tokens.takeRest());
    return isList ? this.#lists[0] : this.#withLists(rest as Record<string, unknown>);
  }

  /** Parses the items of a list, up to its closing bracket. */
  async #parseList(isShaped: boolean): Promise<void> {
    const tokens = this.#tokens;
    const items: unknown[] = [];
    this.#lists.push(items);
    const add = (text: string) => {
      for (const item of parseItems(text)) items.push(isShaped ? this.#shape?.present(item) : item);
    };
    let depth = 0;
    await this.#slices.pause();
    for (let token = tokens.next(); token !== null; token = tokens.next()) {
      if (token === OPEN_OBJECT || token === OPEN_LIST) depth += 1;
      else if (depth > 0 && (token === CLOSE_OBJECT || token === CLOSE_LIST)) depth -= 1;
      else if (depth === 0 && token === CLOSE_LIST) {
        const last = tokens.takeBefore();
        if (items.length > 0 || last.trim() !== '') add(last);
        return;
      } else if (depth === 0 && token === COMMA && tokens.lengthBefore >= PART_LENGTH) {
        add(tokens.takeBefore());
        await this.#slices.pause();
      }
    }
    throw new SyntaxError('A list does not end.');
  }

  /** Whether the shape applies to the list that follows the text. */
  #isShaped(before: string): boolean {
    if (this.#shape === undefined) return false;
    const key = JSON.stringify(this.#shape.key);
    const end = before.slice(-key.length - MAX_BLANKS).trimEnd();
    return end.endsWith(':') && end.slice(0, -1).trimEnd().endsWith(key);
  }

  /** Replaces the numbered lists by their parsed items, in the order of the text. */
  #withLists(rest: Record<string, unknown>): Record<string, unknown> {
    for (const [key, value] of Object.entries(rest)) {
      if (Array.isArray(value)) rest[key] = this.#lists[value[0] as number];
    }
    return rest;
  }
}

/** The commas and brackets of a text, and the text between them. Decodes the text as far as it is read. */
class Tokens {
  /** What is not decoded, the last part first. */
  readonly #parts: Uint8Array[];
  readonly #decoder = new StringDecoder();
  /** What is decoded and not taken. */
  #text = '';
  /** The position of the current token. */
  #at = -1;
  /** Where the text that was not taken begins. */
  #start = 0;

  constructor(parts: Uint8Array[]) {
    this.#parts = parts.reverse();
  }

  /** The length of the text that was not taken before the current token. */
  get lengthBefore(): number {
    return this.#at - this.#start;
  }

  /** The character of the next token outside of strings; null at the end. */
  next(): number | null {
    for (;;) {
      this.#at += 1;
      if (this.#at >= this.#text.length && !this.#decodeMore()) return null;
      const code = this.#text.charCodeAt(this.#at);
      if (code === QUOTE) this.#skipString();
      else if (isToken(code)) return code;
    }
  }

  /** Takes the text before the current token, and drops the token. */
  takeBefore(): string {
    const text = this.#text.slice(this.#start, this.#at);
    this.#start = this.#at + 1;
    return text;
  }

  takeRest(): string {
    return this.#text.slice(this.#start);
  }

  #skipString(): void {
    for (;;) {
      const end = endOfString(this.#text, this.#at);
      if (end !== -1) {
        this.#at = end;
        return;
      }
      if (!this.#decodeMore()) throw new SyntaxError('A string does not end.');
    }
  }

  /** Decodes at least as much as is kept, so that the time is linear. False at the end of the text. */
  #decodeMore(): boolean {
    this.#text = this.#text.slice(this.#start);
    this.#at -= this.#start;
    this.#start = 0;
    const { length } = this.#text;
    const wanted = length + Math.max(length, DECODED_BYTES);
    while (this.#text.length < wanted && this.#parts.length > 0) this.#decodePart();
    return this.#text.length > length;
  }

  #decodePart(): void {
    const part = this.#parts.pop() ?? new Uint8Array();
    if (part.length > DECODED_BYTES) this.#parts.push(part.subarray(DECODED_BYTES));
    this.#text += this.#decoder.write(part.subarray(0, DECODED_BYTES));
    if (this.#parts.length === 0) this.#text += this.#decoder.end();
  }
}

/** Without a copy of all bytes, which an uncached list would pay for with 5 % more processor time. */
function decode(parts: readonly Uint8Array[]): string {
  const decoder = new StringDecoder();
  let text = '';
  for (const part of parts) text += decoder.write(part);
  return text + decoder.end();
}

function isToken(code: number): boolean {
  return (
    code === COMMA ||
    code === OPEN_LIST ||
    code === CLOSE_LIST ||
    code === OPEN_OBJECT ||
    code === CLOSE_OBJECT
  );
}

/** Parses one or more items. */
function parseItems(text: string): unknown[] {
  if (text.trim() === '') throw new SyntaxError('A list has a comma without an item.');
  return JSON.parse(`[${text}]`) as unknown[];
}

/** The position of the quote that ends the string which begins here; -1 if it does not end. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}
