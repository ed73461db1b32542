/** Messages between the benchmark and its two helper processes. */

/** Commands of the process that simulates the workers. */
export type PublisherCommand =
  | { kind: 'queue'; jobs: number; projectId: string; redisUrl: string; keyPrefix: string }
  | { kind: 'publish'; eventsPerSecond: number; seconds: number };

export type PublisherResult = { kind: 'queued'; jobIds: string[] } | { kind: 'published'; events: number };

/** Commands of the process that simulates the clients. */
export type ReaderCommand =
  | { kind: 'open'; port: number; paths: string[]; headers: Record<string, string> }
  | { kind: 'await'; events: number };

export type ReaderResult = { kind: 'opened' } | ({ kind: 'received' } & Latencies);

/** Milliseconds from just before an event is written until the client receives it. */
export interface Latencies {
  p50: number;
  p99: number;
  max: number;
}

/** Precedes the time in an event's message. */
export const TIME_MARK = 'written at ';

/** Microseconds of a clock that all processes of this machine share. */
export function nowMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
