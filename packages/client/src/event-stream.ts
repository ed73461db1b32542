import { createParser, type EventSourceMessage } from 'eventsource-parser';

export interface StreamHandlers {
  /** Called when the server sets the delay before the next connection. */
  onRetry(ms: number): void;
  /** Called for all data from the server, including heartbeats. */
  onBytes(): void;
}

/** A longer timer would end at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The gateway was silent, without even a heartbeat, for the maximum time. */
class SilentStreamError extends Error {
  override readonly name = 'SilentStreamError';
}

/**
 * The events of one response up to its end. Leaving the loop cancels the response.
 * @throws SilentStreamError after `idleMs` without a byte, and the error of a broken connection
 */
export async function* readEvents(
  { body }: Response,
  idleMs: number,
  { onRetry, onBytes }: StreamHandlers,
): AsyncGenerator<EventSourceMessage, void, void> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event), onRetry });
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), idleMs);
      if (done) return;
      onBytes();
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    // The connection may be broken already.
    reader.cancel().catch(() => {});
  }
}

/**
 * What a connection sends next.
 * @throws SilentStreamError after `idleMs`
 */
export async function inTime<Next>(next: Promise<Next>, idleMs: number): Promise<Next> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    const error = new SilentStreamError(`The gateway was silent for ${idleMs} ms.`);
    timer = setTimeout(() => reject(error), Math.min(idleMs, MAX_TIMER_MS));
  });
  try {
    return await Promise.race([next, silence]);
  } finally {
    clearTimeout(timer);
  }
}
