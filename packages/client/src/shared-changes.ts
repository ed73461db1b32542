import { hiddenFor, shown } from './page-visibility.ts';
import type { FollowOptions } from './reconnection.ts';
import { resumedEvents } from './resumed-events.ts';
import type { ProjectChanges, WatchedType, WatchOptions } from './watch.ts';
import { Watcher } from './watcher.ts';

/** Requests the changes of some types, or of all, after an event; '' for none. */
export type ConnectToChanges = (
  types: readonly WatchedType[] | undefined,
  lastEventId: string,
  signal: AbortSignal,
) => Promise<Response>;

export interface SharedChangesOptions
  extends Pick<FollowOptions, 'giveUpAfterMs' | 'idleTimeoutMs' | 'maxDelayMs'> {
  /** Where the only reader continues. */
  lastEventId?: string | undefined;
  /** How long a hidden page keeps its connection. */
  hiddenTimeoutMs?: number | undefined;
}

/** Who changes between two tabs finds both up to date. */
const HIDDEN_TIMEOUT_MS = 300_000;

/**
 * What changes in a project, for all that watch it, over one connection. Who watches a type that the
 * connection lacks replaces it by another, which continues after the last event. See decision 211.
 */
export class SharedChanges {
  readonly #connect: ConnectToChanges;
  readonly #options: SharedChangesOptions;
  readonly #watchers = new Set<Watcher>();
  /** The last event that the gateway has sent. */
  #position: string;
  /** The types of the connection; undefined for all. */
  #types: readonly WatchedType[] | undefined = [];
  /** The same by name, once the gateway has accepted them: from then on, nothing of them is missed. */
  #followed: readonly WatchedType[] | null = null;
  #isRunning = false;
  #isPaused = false;
  /** Ends the connection, or the pause. */
  #step = new AbortController();

  constructor(connect: ConnectToChanges, options: SharedChangesOptions) {
    this.#connect = connect;
    this.#options = options;
    this.#position = options.lastEventId ?? '';
  }

  async *watch(options: WatchOptions): ProjectChanges {
    options.signal?.throwIfAborted();
    const hasBegun = (this.#options.lastEventId ?? '') !== '';
    const watcher = new Watcher(options, hasBegun);
    this.#watchers.add(watcher);
    this.#admit(watcher);
    try {
      yield* watcher.events();
    } finally {
      watcher.close();
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#step.abort();
    }
  }

  #admit(watcher: Watcher): void {
    if (!this.#isRunning) void this.#run();
    else if (this.#isPaused || !watcher.isCoveredBy(this.#types)) this.#step.abort();
    else if (this.#followed !== null) watcher.begin(this.#followed, this.#position);
  }

  /** Stays connected as long as somebody watches and sees the page. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    // Readers that begin together share the first connection.
    await new Promise((resolve) => setTimeout(resolve));
    while (this.#watchers.size > 0) {
      this.#step = new AbortController();
      const { signal } = this.#step;
      try {
        await (this.#isPaused ? shown(signal) : this.#follow(signal));
      } catch (error) {
        if (!signal.aborted) this.#fail(error);
      }
      // Nothing of the step listens to the page any more.
      this.#step.abort();
      this.#isPaused = signal.reason === HIDDEN;
    }
    this.#isRunning = false;
    this.#position = '';
    this.#followed = null;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const {
      hiddenTimeoutMs = HIDDEN_TIMEOUT_MS,
      giveUpAfterMs = Number.POSITIVE_INFINITY,
      ...limits
    } = this.#options;
    const step = this.#step;
    hiddenFor(hiddenTimeoutMs, signal, () => step.abort(HIDDEN));
    const types = typesOf(this.#watchers);
    this.#types = types;
    this.#followed = null;
    const stream = { connect: (ofAttempt: AbortSignal) => this.#connect(types, this.#position, ofAttempt) };
    const events = resumedEvents(stream, {
      ...limits,
      giveUpAfterMs,
      lastEventId: undefined,
      signal,
      onReconnect: (reconnect) => this.#inform(({ options }) => options.onReconnect?.(reconnect)),
      onReconnected: () => this.#inform(({ options }) => options.onReconnected?.()),
    });
    for await (const { id = '', event, data } of events) {
      this.#position = id;
      const fields = JSON.parse(data);
      if (event === undefined) this.#inform((watcher) => watcher.change({ ...fields, eventId: id }));
      else {
        this.#followed ??= fields.types as WatchedType[];
        if (event === 'reset') this.#inform((watcher) => watcher.reset(fields.types, id));
        else this.#inform((watcher) => watcher.begin(fields.types, id));
      }
    }
  }

  #fail(error: unknown): void {
    for (const watcher of this.#watchers) watcher.fail(error);
    this.#watchers.clear();
  }

  /** An error of one reader's function does not end the others. */
  #inform(what: (watcher: Watcher) => void): void {
    for (const watcher of this.#watchers) {
      try {
        what(watcher);
      } catch (error) {
        watcher.fail(error);
      }
    }
  }
}

const HIDDEN = new Error('The page is hidden.');

/** All that somebody watches; undefined for all that there are. */
function typesOf(watchers: ReadonlySet<Watcher>): WatchedType[] | undefined {
  const types = new Set<WatchedType>();
  for (const { options } of watchers) {
    if (options.types === undefined) return undefined;
    for (const type of options.types) types.add(type);
  }
  return [...types].sort();
}
