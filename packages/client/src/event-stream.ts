import { createParser, type EventSourceMessage } from 'eventsource-parser';

export interface StreamHandlers {
  /** Called when the server sets the delay before the next connection. */
  onRetry(ms: number): void;
  /** Called for all data from the server, including heartbeats. */
  onBytes(): void;
}

/** The stream was silent, without even a heartbeat, for the maximum time. */
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
      const { done, value } = await readInTime(reader, idleMs);
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

async function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>, idleMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    const error = new SilentStreamError(`The stream was silent for ${idleMs} ms.`);
    timer = setTimeout(() => reject(error), idleMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}
