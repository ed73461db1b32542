/** What the measurement and its two helping processes tell each other. */

/** To the process that stands for the workers. */
export type PublisherOrder =
  | { kind: 'queue'; jobs: number; projectId: string; redisUrl: string; keyPrefix: string }
  | { kind: 'publish'; eventsPerSecond: number; seconds: number };

export type PublisherAnswer = { kind: 'queued'; jobIds: string[] } | { kind: 'published'; events: number };

/** To the process that stands for the clients. */
export type ReaderOrder =
  | { kind: 'open'; port: number; paths: string[]; headers: Record<string, string> }
  | { kind: 'await'; events: number };

export type ReaderAnswer = { kind: 'opened' } | ({ kind: 'received' } & Latencies);

/** From just before an event is written to when its client has it, in milliseconds. */
export interface Latencies {
  p50: number;
  p99: number;
  most: number;
}

/** Precedes the time in an event's message. */
export const TIME_MARK = 'written at ';

/** Microseconds of a clock that all processes of this machine share. */
export function nowMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
