import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { residentKib } from '../process-memory.ts';
import { HelperProcess } from './helper-process.ts';
import type {
  Latencies,
  PublisherCommand,
  PublisherResult,
  ReaderCommand,
  ReaderResult,
} from './messages.ts';

interface StreamServerOptions {
  server: { pid: number; port: number };
  redisUrl: string;
  /** The prefix of its jobs and its feed, so that the servers do not receive each other's events. */
  keyPrefix: string;
  projectId: string;
  streams: number;
  toPath(jobId: string): string;
  headers: Record<string, string>;
}

/** Time for a garbage collection after the streams are opened. */
const SETTLE_MS = 5_000;

/** A server with open streams, one job each, and the processes that write and read the events. */
export class StreamServer {
  /** Memory of the server per open stream, in KiB. */
  memoryKib = 0;
  readonly #options: StreamServerOptions;
  readonly #publisher = new HelperProcess<PublisherCommand, PublisherResult>(entryOf('publisher'));
  readonly #readers = new HelperProcess<ReaderCommand, ReaderResult>(entryOf('readers'));

  constructor(options: StreamServerOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const { server, redisUrl, keyPrefix, projectId, streams, toPath, headers } = this.#options;
    const { jobIds } = await this.#publisher.run(
      { kind: 'queue', jobs: streams, projectId, redisUrl, keyPrefix },
      'queued',
    );
    const before = residentKib(server.pid);
    await this.#readers.run(
      { kind: 'open', port: server.port, paths: jobIds.map(toPath), headers },
      'opened',
    );
    await pause(SETTLE_MS);
    this.memoryKib = (residentKib(server.pid) - before) / streams;
  }

  /** Publishes events at a constant rate and waits until all have arrived. */
  async round(eventsPerSecond: number, seconds: number): Promise<Latencies> {
    const { events } = await this.#publisher.run({ kind: 'publish', eventsPerSecond, seconds }, 'published');
    return this.#readers.run({ kind: 'await', events }, 'received');
  }

  async stop(): Promise<void> {
    await Promise.all([this.#readers.stop(), this.#publisher.stop()]);
  }
}

function entryOf(name: string): string {
  return fileURLToPath(new URL(`${name}.ts`, import.meta.url));
}
