import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { residentKib } from '../process-memory.ts';
import { OrderTaker } from './order-taker.ts';
import type { Latencies, PublisherAnswer, PublisherOrder, ReaderAnswer, ReaderOrder } from './orders.ts';

export interface SideOptions {
  server: { pid: number; port: number };
  redisUrl: string;
  /** Of its jobs and its feed: what one side is told costs the other nothing. */
  keyPrefix: string;
  projectId: string;
  streams: number;
  toPath(jobId: string): string;
  headers: Record<string, string>;
}

/** Long enough for what opening the streams leaves to be collected. */
const SETTLE_MS = 5_000;

/** A server with open streams, each of a job of its own, and the processes that write and read the events. */
export class Side {
  /** What an open stream adds to the memory of the server. */
  memoryKib = 0;
  readonly #options: SideOptions;
  readonly #publisher = new OrderTaker<PublisherOrder, PublisherAnswer>(entryOf('publisher'));
  readonly #readers = new OrderTaker<ReaderOrder, ReaderAnswer>(entryOf('readers'));

  constructor(options: SideOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const { server, redisUrl, keyPrefix, projectId, streams, toPath, headers } = this.#options;
    const { jobIds } = await this.#publisher.order(
      { kind: 'queue', jobs: streams, projectId, redisUrl, keyPrefix },
      'queued',
    );
    const before = residentKib(server.pid);
    await this.#readers.order(
      { kind: 'open', port: server.port, paths: jobIds.map(toPath), headers },
      'opened',
    );
    await pause(SETTLE_MS);
    this.memoryKib = (residentKib(server.pid) - before) / streams;
  }

  /** Has events written at a steady pace, and waits until they have all come. */
  async round(eventsPerSecond: number, seconds: number): Promise<Latencies> {
    const { events } = await this.#publisher.order(
      { kind: 'publish', eventsPerSecond, seconds },
      'published',
    );
    return this.#readers.order({ kind: 'await', events }, 'received');
  }

  async stop(): Promise<void> {
    await Promise.all([this.#readers.stop(), this.#publisher.stop()]);
  }
}

function entryOf(name: string): string {
  return fileURLToPath(new URL(`${name}.ts`, import.meta.url));
}
