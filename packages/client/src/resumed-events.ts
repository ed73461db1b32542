import type { EventSourceMessage } from 'eventsource-parser';
import { readEvents } from './event-stream.ts';
import { type FollowOptions, Reconnection } from './reconnection.ts';

export interface ResumedStream {
  /** Requests the stream after an event. @throws GatewayError for an error response */
  connect: () => Promise<Response>;
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
  const { idleTimeoutMs = 60_000 } = options;
  const reconnection = new Reconnection(options);
  for (;;) {
    let error: unknown;
    let isEmpty = true;
    const handlers = {
      onRetry: (ms: number) => reconnection.startAt(ms),
      onBytes: () => {
        isEmpty = false;
        reconnection.reset();
      },
    };
    try {
      yield* readEvents(await connect(), idleTimeoutMs, handlers);
      if (isOver(isEmpty)) return;
    } catch (thrown) {
      error = thrown;
    }
    await reconnection.wait(error);
  }
}
