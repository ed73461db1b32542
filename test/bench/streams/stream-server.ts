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
  StreamRequest,
  StreamSubjects,
} from './messages.ts';

interface StreamServerOptions {
  server: { pid: number; port: number };
  redisUrl: string;
  /** The prefix of its jobs and its feed, so that the servers do not receive each other's events. */
  keyPrefix: string;
  subjects: StreamSubjects;
  /** A multiple of the number of subjects, each of which has as many streams as the others. */
  streams: number;
  /** The request for the stream of a job or a project. */
  toRequest(id: string): StreamRequest;
}

/** Time for a garbage collection after the streams are opened. */
const SETTLE_MS = 5_000;

/** A server with open streams, and the processes that write and read the events. */
export class StreamServer {
  /** Memory of the server per open stream, in KiB. */
  memoryKib = 0;
  /** How many streams have each event. */
  #streamsPerEvent = 1;
  readonly #options: StreamServerOptions;
  readonly #publisher = new HelperProcess<PublisherCommand, PublisherResult>(entryOf('publisher'));
  readonly #readers = new HelperProcess<ReaderCommand, ReaderResult>(entryOf('readers'));

  constructor(options: StreamServerOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const { server, redisUrl, keyPrefix, subjects, streams, toRequest } = this.#options;
    const { ids } = await this.#publisher.run({ kind: 'prepare', subjects, redisUrl, keyPrefix }, 'prepared');
    this.#streamsPerEvent = streams / ids.length;
    const requests = Array.from({ length: streams }, (_, index) => toRequest(ids[index % ids.length] ?? ''));
    const before = residentKib(server.pid);
    await this.#readers.run({ kind: 'open', port: server.port, requests }, 'opened');
    await pause(SETTLE_MS);
    this.memoryKib = (residentKib(server.pid) - before) / streams;
  }

  /** Publishes events, so that streams get them at a constant rate, and waits until all have arrived. */
  async round(eventsPerSecond: number, seconds: number): Promise<Latencies> {
    const order = {
      kind: 'publish' as const,
      eventsPerSecond: eventsPerSecond / this.#streamsPerEvent,
      seconds,
    };
    const { events } = await this.#publisher.run(order, 'published');
    return this.#readers.run({ kind: 'await', events: events * this.#streamsPerEvent }, 'received');
  }

  async stop(): Promise<void> {
    await Promise.all([this.#readers.stop(), this.#publisher.stop()]);
  }
}

function entryOf(name: string): string {
  return fileURLToPath(new URL(`${name}.ts`, import.meta.url));
}
