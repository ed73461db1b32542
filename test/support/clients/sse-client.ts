import { createParser, type EventSourceMessage } from 'eventsource-parser';

export interface StreamEvent {
  /** The event's `id:` line; null when it has none. */
  id: string | null;
  /** The event's `event:` line; null when it has none. */
  name: string | null;
  data: string;
}

interface StreamRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
}

export interface EventStream extends AsyncIterable<StreamEvent> {
  status: number;
  headers: Headers;
  /** Comment lines seen so far: heartbeats. */
  comments: string[];
  /** The next event, or null at the end of the stream. */
  next(): Promise<StreamEvent | null>;
  /** The next event's data as JSON, or null at the end of the stream. */
  nextJson<T>(): Promise<T | null>;
  /** Reads to the end and returns the remaining events. */
  rest(): Promise<StreamEvent[]>;
  /** Disconnects and ends the iteration. */
  close(): void;
}

/**
 * Opens a Server-Sent Events stream as a dashboard does.
 * @throws when the response is not an event stream; the message contains status and body.
 */
export async function openStream(url: string, request: StreamRequest = {}): Promise<EventStream> {
  const hangUp = new AbortController();
  const response = await fetch(url, {
    method: request.method ?? 'GET',
    headers: {
      accept: 'text/event-stream',
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    body: request.body === undefined ? undefined : JSON.stringify(request.body),
    signal: hangUp.signal,
  });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body) {
    throw new Error(`no event stream but ${response.status}: ${await response.text()}`);
  }

  const comments: string[] = [];
  const events = readEvents(response, comments, hangUp.signal);
  const next = async (): Promise<StreamEvent | null> => {
    const result = await events.next();
    return result.done ? null : result.value;
  };
  return {
    status: response.status,
    headers: response.headers,
    comments,
    next,
    async nextJson<T>() {
      const event = await next();
      return event && (JSON.parse(event.data) as T);
    },
    async rest() {
      const remaining: StreamEvent[] = [];
      for await (const event of events) remaining.push(event);
      return remaining;
    },
    close: () => hangUp.abort(),
    // The stream has one reader: leaving a loop early does not end the stream, close() does.
    async *[Symbol.asyncIterator]() {
      for (let event = await next(); event; event = await next()) yield event;
    },
  };
}

/**
 * Keeps a reference to the response, because an unreferenced response is garbage-collected
 * together with its unread body.
 */
async function* readEvents(
  { body }: Response,
  comments: string[],
  hungUp: AbortSignal,
): AsyncGenerator<StreamEvent, void> {
  const ready: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (event) => ready.push(event),
    onComment: (comment) => comments.push(comment),
  });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body ?? []) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      for (let event = ready.shift(); event; event = ready.shift()) {
        yield { id: event.id ?? null, name: event.event ?? null, data: event.data };
      }
    }
  } catch (error) {
    if (!hungUp.aborted) throw error;
  }
}
