import type { EventSourceMessage } from 'eventsource-parser';
import { inTime, readEvents } from './event-stream.ts';
import { type FollowOptions, Reconnection } from './reconnection.ts';

/** How long a connection may be silent. */
export const IDLE_TIMEOUT_MS = 60_000;

export interface ResumedStream {
  /** Requests the stream, until the signal is aborted. @throws GatewayError for an error response */
  connect: (signal: AbortSignal) => Promise<Response>;
  /** Whether a stream that the gateway has ended has no more events. `isEmpty` if it had not a byte. */
  isOver?: (isEmpty: boolean) => boolean;
}

/**
 * The events of a stream over any number of connections. The reader keeps the position at which `connect`
 * continues.
 * @throws errors of the gateway that a retry would repeat, and the last error when the gateway is unreachable
 * for long
 */
export async function* resumedEvents(
  { connect, isOver = () => false }: ResumedStream,
  options: FollowOptions,
): AsyncGenerator<EventSourceMessage, void, void> {
  const { idleTimeoutMs = IDLE_TIMEOUT_MS, signal } = options;
  const reconnection = new Reconnection(options);
  for (;;) {
    let error: unknown;
    let isEmpty = true;
    const attempt = new AbortController();
    const ending = AbortSignal.any([attempt.signal, ...(signal ? [signal] : [])]);
    const handlers = {
      onRetry: (ms: number) => reconnection.startAt(ms),
      onBytes: () => {
        isEmpty = false;
        reconnection.reset();
      },
    };
    try {
      const response = await inTime(connect(ending), idleTimeoutMs);
      yield* readEvents(response, idleTimeoutMs, handlers);
      if (isOver(isEmpty)) return;
    } catch (thrown) {
      error = thrown;
    } finally {
      attempt.abort();
    }
    await reconnection.wait(error);
  }
}
