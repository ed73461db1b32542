import type { AnyEndpoint } from '../../../apps/api/src/pipeline/endpoint.ts';
import type { ApiResponse } from '../clients/gateway-client.ts';
import { leavesOf } from './leaves.ts';
import type { OddRow } from './odd-rows.ts';

/** What is wrong with the response that reads these rows, or null. */
export type Judge = (rows: readonly OddRow[]) => Promise<string | null>;

const MAX_SHOWN = 300;
const STRAY = /\b(?:undefined|null|NaN|Invalid Date)\b|\[object Object\]/;

/** What is wrong with any response that is read, or null. */
export function faultOf(
  { response: shape }: AnyEndpoint,
  { body, status, text }: ApiResponse,
): string | null {
  if (status !== 200) return `${status} ${text.slice(0, MAX_SHOWN)}`;
  const error = shape?.safeParse(body).error;
  if (error !== undefined) return error.message.slice(0, MAX_SHOWN);
  for (const [path, values] of leavesOf(body)) {
    const stray = values.find((value) => value.startsWith('"') && STRAY.test(value));
    if (stray !== undefined) return `${path} is ${stray.slice(0, MAX_SHOWN)}`;
  }
  return null;
}

/** What a response shows whatever other rows the services send. */
export class ExpectedRows {
  readonly #endpoint: AnyEndpoint;
  readonly #usual: ApiResponse;
  readonly #leaves: Map<string, string[]>;
  readonly #needsAll: boolean;
  /** The list that has a row for each row of the service; undefined for none. */
  #list: string | undefined;

  /** @param needsAll a 502 is right where a row cannot be read */
  constructor(endpoint: AnyEndpoint, usual: ApiResponse, again: ApiResponse, needsAll: boolean) {
    this.#endpoint = endpoint;
    this.#needsAll = needsAll;
    this.#usual = usual;
    // What is in no row are totals.
    this.#leaves = new Map([...leavesOf(usual.body)].filter(([path]) => path.includes('[')));
    this.hasChanged(again);
  }

  /** Learns from `count` rows without fault what depends on their number. */
  allow(response: ApiResponse, count: number): void {
    this.hasChanged(response);
    const lists = ['', ...Object.keys(this.#usual.body as object)];
    this.#list = lists.find((key) => this.#growth(response, key) === count);
    for (const key of lists) {
      const growth = this.#growth(response, key);
      // A list of the newest rows only.
      if (growth > 0 && growth < count) this.#forget(`.${key}.`);
    }
  }

  /** Whether it changes without any odd row, as times do. It is not expected further. */
  hasChanged({ body }: ApiResponse): boolean {
    const leaves = leavesOf(body);
    const changed = [...this.#leaves].filter((leaf) => !isAmong(leaf, leaves));
    for (const [path] of changed) this.#leaves.delete(path);
    return changed.length > 0;
  }

  faultOf(response: ApiResponse, rows: readonly OddRow[]): string | null {
    const isComplete = rows.every(({ isRow }) => isRow);
    if (this.#needsAll && !isComplete && response.status === 502) return null;
    const fault = faultOf(this.#endpoint, response);
    if (fault !== null) return fault;
    const leaves = leavesOf(response.body);
    const changed = [...this.#leaves].find((leaf) => !isAmong(leaf, leaves));
    if (changed !== undefined) {
      const [path, values] = changed;
      return `${path} is ${String(leaves.get(path)).slice(0, MAX_SHOWN)}, not ${values}`;
    }
    for (const [key, value] of Object.entries(this.#usual.body as object)) {
      const shown = (response.body as Record<string, unknown>)[key];
      if (value !== null && (shown ?? null) === null) return `${key} is missing`;
    }
    if (!isComplete && response.headers.get('x-incomplete') !== 'true') return 'X-Incomplete is missing';
    const least = rows.filter(({ isChosenBy, isRow }) => isRow && !isChosenBy).length;
    if (this.#list === undefined || this.#growth(response, this.#list) >= least) return null;
    return 'the row is not shown';
  }

  #forget(prefix: string): void {
    for (const path of this.#leaves.keys()) if (path.startsWith(prefix)) this.#leaves.delete(path);
  }

  #growth(response: ApiResponse, key: string): number {
    return lengthOf(response, key) - lengthOf(this.#usual, key);
  }
}

function isAmong([path, values]: [string, string[]], leaves: Map<string, string[]>): boolean {
  const shown = leaves.get(path) ?? [];
  return values.every((value) => shown.includes(value));
}

function lengthOf({ body }: ApiResponse, key: string): number {
  const list = key === '' ? body : (body as Record<string, unknown> | undefined)?.[key];
  return Array.isArray(list) ? list.length : Number.NaN;
}
