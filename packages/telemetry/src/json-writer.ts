import { cutText, GatewayError } from '@gateway/core';
import { maskSecrets, REDACTED } from './mask-secrets.ts';
import { isSecretKey } from './secret-keys.ts';

const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;
const MAX_TEXT = 8 * 1024;
/** Masking examines this many characters past the cut, to recognise a secret that the cut would split. */
const CUT_OVERLAP = 1024;
const MAX_RECORD = 64 * 1024;
const MAX_KNOWN_KEYS = 2000;

interface KnownKey {
  json: string;
  secret: boolean;
}

/** Logged properties of errors. Other properties may contain a request with its headers. */
const ERROR_FIELDS = ['code', 'status', 'statusCode', 'syscall', 'signal', 'upstream', 'errors', 'jobId'];

/**
 * Writes any value as JSON for the log: masks secrets, limits depth, width and length, and never throws. Use
 * one writer per record.
 */
export class JsonWriter {
  static readonly #knownKeys = new Map<string, KnownKey>();
  readonly #path: object[] = [];
  #remaining = MAX_RECORD;

  /** The quoted name of a member with its colon, and whether its value is a secret. */
  key(name: string): KnownKey {
    const known = JsonWriter.#knownKeys.get(name);
    if (known !== undefined) return known;
    const made = { json: `${JSON.stringify(maskSecrets(name.slice(0, 200)))}:`, secret: isSecretKey(name) };
    if (JsonWriter.#knownKeys.size < MAX_KNOWN_KEYS) JsonWriter.#knownKeys.set(name, made);
    return made;
  }

  /** The member's value as JSON; undefined for values that JSON omits. */
  member(key: KnownKey, value: unknown): string | undefined {
    // A missing secret, or a boolean about one, is not secret.
    if (key.secret && value !== null && value !== undefined && typeof value !== 'boolean') {
      return `"${REDACTED}"`;
    }
    return this.value(value);
  }

  value(value: unknown): string | undefined {
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        return Number.isFinite(value) ? `${value}` : `"${value}"`;
      case 'boolean':
        return value ? 'true' : 'false';
      case 'bigint':
        return `"${value}"`;
      case 'undefined':
        return undefined;
      case 'function':
        return '"[function]"';
      case 'symbol':
        return '"[symbol]"';
      default:
        return value === null ? 'null' : this.#object(value as object);
    }
  }

  #text(text: string): string {
    if (this.#remaining <= 0) return '"[cut]"';
    const isShort = text.length <= MAX_TEXT;
    let masked = maskSecrets(isShort ? text : text.slice(0, MAX_TEXT + CUT_OVERLAP));
    if (!isShort) masked = `${cutText(masked, MAX_TEXT)}… [${text.length} characters]`;
    this.#remaining -= masked.length;
    return JSON.stringify(masked);
  }

  #object(object: object): string {
    if (this.#remaining <= 0) return '"[cut]"';
    if (this.#path.includes(object)) return '"[circular]"';
    if (this.#path.length >= MAX_DEPTH) return '"[deeper]"';
    this.#path.push(object);
    try {
      return this.#composite(object);
    } catch {
      // A getter or a proxy that throws.
      return '"[unreadable]"';
    } finally {
      this.#path.pop();
    }
  }

  #composite(object: object): string {
    if (object instanceof Error) return this.#error(object);
    if (Array.isArray(object)) return this.#list(object);
    if (object instanceof Date) {
      return Number.isNaN(object.getTime()) ? '"[invalid date]"' : `"${object.toISOString()}"`;
    }
    if (ArrayBuffer.isView(object) || object instanceof ArrayBuffer) return `"[${object.byteLength} bytes]"`;
    if (object instanceof URL || object instanceof RegExp) return this.#text(String(object));
    if (object instanceof Map || object instanceof Headers || object instanceof URLSearchParams) {
      return this.#members(object.entries());
    }
    if (object instanceof Set) return this.#list(object.values());
    return this.#members(ownMembers(object as Record<string, unknown>));
  }

  #members(members: Iterable<[unknown, unknown]>): string {
    const parts: string[] = [];
    for (const [name, value] of members) {
      if (parts.length >= MAX_ENTRIES || this.#remaining <= 0) {
        parts.push('"…":"[cut]"');
        break;
      }
      const key = this.key(typeof name === 'object' ? 'object' : String(name));
      const json = this.member(key, value);
      this.#remaining -= key.json.length + 8;
      if (json !== undefined) parts.push(key.json + json);
    }
    return `{${parts.join(',')}}`;
  }

  #list(values: Iterable<unknown>): string {
    const parts: string[] = [];
    let afterSecretName = false;
    for (const value of values) {
      if (parts.length >= MAX_ENTRIES || this.#remaining <= 0) {
        parts.push('"[cut]"');
        break;
      }
      // In raw headers and lists of pairs, the value follows its name.
      parts.push(
        afterSecretName && typeof value === 'string' ? `"${REDACTED}"` : (this.value(value) ?? 'null'),
      );
      this.#remaining -= 8;
      afterSecretName = typeof value === 'string' && value.length < 64 && isSecretKey(value);
    }
    return `[${parts.join(',')}]`;
  }

  #error(error: Error): string {
    const fields: [string, unknown][] = [
      ['name', error.name],
      ['message', error.message],
    ];
    for (const name of ERROR_FIELDS) {
      const value = (error as unknown as Record<string, unknown>)[name];
      if (value !== undefined) fields.push([name, value]);
    }
    if (!this.#isExpected()) fields.push(['stack', error.stack]);
    if (error.cause !== undefined) fields.push(['cause', error.cause]);
    return this.#members(fields);
  }

  /** Errors for API users, and their causes, need no stack trace. */
  #isExpected(): boolean {
    return this.#path.some((object) => object instanceof GatewayError && object.code !== 'internal_error');
  }
}

function* ownMembers(object: Record<string, unknown>): Iterable<[string, unknown]> {
  for (const name of Object.keys(object)) yield [name, object[name]];
}
