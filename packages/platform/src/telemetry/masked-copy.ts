import { cutText, GatewayError } from '@gateway/core';
import { maskSecrets, REDACTED } from './mask-secrets.ts';
import { isSecretKey } from './secret-keys.ts';

const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;
const MAX_TEXT = 8 * 1024;
const MAX_KEY = 200;
/** Masking examines this many characters past the cut, to recognise a secret that the cut would split. */
const CUT_OVERLAP = 1024;
const MAX_RECORD = 64 * 1024;

/** Logged properties of errors. Other properties may contain a request with its headers. */
const ERROR_FIELDS = ['code', 'status', 'statusCode', 'syscall', 'signal', 'upstream', 'errors', 'jobId'];

/**
 * Copies any value into one that JSON represents: masks secrets, limits depth, width and length, and never
 * throws. Use one for each record.
 */
export class MaskedCopy {
  readonly #path: object[] = [];
  #remaining = MAX_RECORD;

  member(key: string, value: unknown): unknown {
    // A missing secret, or a boolean about one, is not secret.
    const isValue = value !== null && value !== undefined && typeof value !== 'boolean';
    return isValue && isSecretKey(key) ? REDACTED : this.value(value);
  }

  value(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'bigint':
        return String(value);
      case 'function':
        return '[function]';
      case 'symbol':
        return '[symbol]';
      case 'object':
        return value === null ? null : this.#object(value);
      default:
        return value;
    }
  }

  #text(text: string): string {
    if (this.#remaining <= 0) return '[cut]';
    const isShort = text.length <= MAX_TEXT;
    let masked = maskSecrets(isShort ? text : text.slice(0, MAX_TEXT + CUT_OVERLAP));
    if (!isShort) masked = `${cutText(masked, MAX_TEXT)}… [${text.length} characters]`;
    this.#remaining -= masked.length;
    return masked;
  }

  #object(object: object): unknown {
    if (this.#remaining <= 0) return '[cut]';
    if (this.#path.includes(object)) return '[circular]';
    if (this.#path.length >= MAX_DEPTH) return '[deeper]';
    this.#path.push(object);
    try {
      return this.#composite(object);
    } catch {
      // A getter or a proxy that throws.
      return '[unreadable]';
    } finally {
      this.#path.pop();
    }
  }

  #composite(object: object): unknown {
    if (object instanceof Error) return this.#error(object);
    if (Array.isArray(object)) return this.#list(object);
    if (object instanceof Date) {
      return Number.isNaN(object.getTime()) ? '[invalid date]' : object.toISOString();
    }
    if (ArrayBuffer.isView(object) || object instanceof ArrayBuffer) return `[${object.byteLength} bytes]`;
    if (object instanceof URL || object instanceof RegExp) return this.#text(String(object));
    if (object instanceof Map || object instanceof Headers || object instanceof URLSearchParams) {
      return this.#members(object.entries());
    }
    if (object instanceof Set) return this.#list(object.values());
    return this.#members(ownMembers(object as Record<string, unknown>));
  }

  #members(members: Iterable<[unknown, unknown]>): Record<string, unknown> {
    const copies: [string, unknown][] = [];
    for (const [name, value] of members) {
      if (copies.length >= MAX_ENTRIES || this.#remaining <= 0) {
        copies.push(['…', '[cut]']);
        break;
      }
      const key = typeof name === 'object' ? 'object' : String(name);
      const copy = this.member(key, value);
      const maskedKey = maskSecrets(key.slice(0, MAX_KEY));
      this.#remaining -= maskedKey.length + 8;
      copies.push([maskedKey, copy]);
    }
    return Object.fromEntries(copies);
  }

  #list(values: Iterable<unknown>): unknown[] {
    const copies: unknown[] = [];
    let afterSecretName = false;
    for (const value of values) {
      if (copies.length >= MAX_ENTRIES || this.#remaining <= 0) {
        copies.push('[cut]');
        break;
      }
      // In raw headers and lists of pairs, the value follows its name.
      copies.push(afterSecretName && typeof value === 'string' ? REDACTED : this.value(value));
      this.#remaining -= 8;
      afterSecretName = typeof value === 'string' && value.length < 64 && isSecretKey(value);
    }
    return copies;
  }

  #error(error: Error): Record<string, unknown> {
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
