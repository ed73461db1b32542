import { setTimeout as pause } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** An event of `GET /api/events`. */
export interface ProjectEvent {
  type: string;
  id: string;
  change: 'created' | 'updated' | 'deleted';
  state: string | null;
  job_id: string | null;
}

interface ListenerOptions {
  /** The processes to connect to, in this order; the first one again after the last. */
  urls: readonly string[];
  token: string;
  projectId: string;
  types?: readonly string[];
}

const RECONNECT_MS = 100;

/** Listens to the changes of a project like a dashboard: reconnects, and continues after the last event. */
export class ProjectListener {
  /** The changes, with the ids of their events. */
  readonly events: (ProjectEvent & { eventId: string })[] = [];
  /** The types of each `reset`. */
  readonly resets: string[][] = [];
  connections = 0;
  /** How often the stream began with `ready`. */
  readies = 0;
  readonly #options: ListenerOptions;
  readonly #stopping = new AbortController();
  #lastEventId = '';

  constructor(options: ListenerOptions) {
    this.#options = options;
    void this.#listen();
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** `volume v-1 created creating`. */
  get texts(): string[] {
    return this.events.map(({ type, id, change, state }) => `${type} ${id} ${change} ${state}`);
  }

  of(id: string): string[] {
    return this.events.filter((event) => event.id === id).map(({ change, state }) => `${change} ${state}`);
  }

  async #listen(): Promise<void> {
    const { signal } = this.#stopping;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        await this.#connect(this.#options.urls[attempt % this.#options.urls.length] ?? '');
      } catch {
        // The process is gone, or Redis is.
      }
      await pause(RECONNECT_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #connect(url: string): Promise<void> {
    const { projectId, token, types } = this.#options;
    const query = types === undefined ? '' : `?types=${types.join(',')}`;
    const response = await fetch(`${url}/api/events${query}`, {
      headers: {
        'x-auth-token': token,
        'x-project-id': projectId,
        ...(this.#lastEventId !== '' && { 'last-event-id': this.#lastEventId }),
      },
      signal: this.#stopping.signal,
    });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    this.connections += 1;
    const parser = createParser({ onEvent: (event) => this.#receive(event) });
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
  }

  #receive({ id = '', event, data }: EventSourceMessage): void {
    this.#lastEventId = id;
    if (event === 'ready') this.readies += 1;
    else if (event === 'reset') this.resets.push((JSON.parse(data) as { types: string[] }).types);
    else this.events.push({ ...(JSON.parse(data) as ProjectEvent), eventId: id });
  }
}
