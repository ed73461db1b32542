import { AsyncLocalStorage } from 'node:async_hooks';
import { GatewayError } from '@gateway/core';
import type { ServiceName } from '@gateway/platform';
import { LRUCache } from 'lru-cache';
import type { UpstreamEvents } from '../call.ts';

const HOUR_MS = 3_600_000;
const MAX_REMEMBERED = 1000;

const NAMES = ['id', 'uuid', 'name'] as const;

/** What the services send and cannot be read as a record. */
export class OddRecords {
  readonly #events: UpstreamEvents | undefined;
  readonly #reported = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: HOUR_MS });

  constructor(events: UpstreamEvents | undefined) {
    this.#events = events;
  }

  /** A row is left out of its list. */
  leaveOut(service: ServiceName, record: string, row: unknown, requestId: string): void {
    noteLeftOut();
    const described = describe(row);
    const key = `${service}/${record}/${described}`;
    const isRepeated = this.#reported.has(key);
    if (!isRepeated) this.#reported.set(key, true);
    this.#events?.onOddRecord?.({ service, record, row: described, isRepeated, requestId });
  }
}

/** Says which row it is, without values that may be secret. */
function describe(row: unknown): string {
  if (typeof row !== 'object' || row === null) return row === null ? 'null' : typeof row;
  if (Array.isArray(row)) return 'list';
  const fields = row as Record<string, unknown>;
  const name = NAMES.find((field) => typeof fields[field] === 'string' && fields[field] !== '');
  if (name !== undefined) return `${name} ${String(fields[name]).slice(0, 100)}`;
  return `fields ${Object.keys(fields).join(', ').slice(0, 200)}`;
}

interface Watch {
  leftOut: boolean;
  outer: Watch | undefined;
}

const watches = new AsyncLocalStorage<Watch>();

/**
 * Runs reads, and returns whether rows were left out of any list among them because they cannot be read.
 * What a list was read for learns it in this way, through all layers in between: a response says so, and a
 * cached list keeps it for its later readers.
 */
export async function watchLeftOut<T>(run: () => Promise<T>): Promise<{ result: T; leftOut: boolean }> {
  const watch: Watch = { leftOut: false, outer: watches.getStore() };
  const result = await watches.run(watch, run);
  return { result, leftOut: watch.leftOut };
}

/** A row was left out, now or when what is read here was stored. */
export function noteLeftOut(): void {
  for (let watch = watches.getStore(); watch !== undefined; watch = watch.outer) watch.leftOut = true;
}

/**
 * Runs reads that decide what may be removed.
 *
 * @throws 502 if rows were left out of any list among them
 */
export async function readWholeLists<T>(run: () => Promise<T>): Promise<T> {
  const { result, leftOut } = await watchLeftOut(run);
  if (!leftOut) return result;
  const detail = 'The cloud has sent rows that cannot be read, so it is not known what is still there.';
  throw new GatewayError(502, 'upstream_error', detail);
}
