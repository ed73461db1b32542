import type { ServiceName } from '@gateway/platform';
import { LRUCache } from 'lru-cache';
import type { UpstreamEvents } from '../call-context.ts';
import { noteLeftOut } from './left-out.ts';

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
