/** Messages between the benchmark and its two helper processes. */

/** What has the events: new jobs of a project, or what changes in projects. */
export type StreamSubjects =
  | { kind: 'jobs'; count: number; projectId: string }
  | { kind: 'projects'; projectIds: readonly string[] };

/** Commands of the process that simulates the workers. */
export type PublisherCommand =
  | { kind: 'prepare'; subjects: StreamSubjects; redisUrl: string; keyPrefix: string }
  | { kind: 'publish'; eventsPerSecond: number; seconds: number };

export type PublisherResult = { kind: 'prepared'; ids: string[] } | { kind: 'published'; events: number };

/** A request for a stream. */
export interface StreamRequest {
  path: string;
  headers: Record<string, string>;
}

/** Commands of the process that simulates the clients. */
export type ReaderCommand =
  | { kind: 'open'; port: number; requests: StreamRequest[] }
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
