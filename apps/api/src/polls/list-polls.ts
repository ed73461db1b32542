import { resources } from '@gateway/core';
import { beginPoll, listName, type WatchedList } from '@gateway/jobs';
import pLimit from 'p-limit';
import type { AppContext } from '../context.ts';
import type { Listener } from '../http/streams/listeners.ts';
import type { AnyEndpoint } from '../pipeline/endpoint.ts';
import { watchedListOf } from '../pipeline/observe-list.ts';
import { pollList, type WatchedEndpoint } from './poll-list.ts';

/** Lists that this process reads at the same time. */
const POLLS_AT_ONCE = 16;
/** How long a poll that follows another waits, so that a burst of writes does not become one of reads. */
const MIN_INTERVAL_MS = 400;
/**
 * After this share of the keep time, the writes in a listened project are made known anew, and lists without
 * an interval are polled.
 */
const RENEWALS = 4;
/** When a poll is tried again while the store is unavailable. */
const RETRY_MS = 1_000;

/** A list that this process polls from time to time. */
interface Watch {
  list: WatchedList;
  endpoint: WatchedEndpoint;
  timer: NodeJS.Timeout | null;
  /** Whether an attempt is under way. */
  isBusy: boolean;
  /** A write has touched the list during the attempt. */
  isTouched: boolean;
}

/**
 * The polls of the lists of projects with listeners in this process. All processes try at the same times; a
 * lock in the store lets one of them poll, with the rights of one of its listeners. See decision 130.
 */
export class ListPolls {
  readonly #app: AppContext;
  readonly #endpoints: readonly WatchedEndpoint[];
  readonly #watches = new Map<string, Watch>();
  readonly #limit = pLimit(POLLS_AT_ONCE);
  #renewal: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(app: AppContext, endpoints: readonly AnyEndpoint[]) {
    this.#app = app;
    this.#endpoints = endpoints.filter((each) => isWatchedBy(app, each));
  }

  start(): void {
    const { changes, config, listeners, logger, relay } = this.#app;
    listeners.watch((projectId, listener) => this.#addWatches(projectId, listener));
    relay.onPoll((projectId, lists) => {
      for (const list of lists) this.#touch(projectId, list);
    });
    const renew = () => {
      for (const projectId of listeners.projectIds) {
        changes.listen(projectId).catch((error: unknown) => logger.debug('Listening lapses', { error }));
      }
    };
    this.#renewal = setInterval(renew, (config.events.keepSeconds * 1000) / RENEWALS).unref();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#renewal !== null) clearInterval(this.#renewal);
    for (const { timer } of this.#watches.values()) if (timer !== null) clearTimeout(timer);
    this.#watches.clear();
  }

  #addWatches(projectId: string, listener: Listener): void {
    for (const endpoint of this.#endpoints) {
      if (!listener.types.has(endpoint.watched)) continue;
      const list = watchedListOf(endpoint.watched, listener.caller);
      const key = keyOf(projectId, listName(list.type, list.userId));
      if (this.#watches.has(key)) continue;
      const watch: Watch = { list, endpoint, timer: null, isBusy: false, isTouched: false };
      this.#watches.set(key, watch);
      this.#schedule(watch, 0);
    }
  }

  #touch(projectId: string, list: string): void {
    const watch = this.#watches.get(keyOf(projectId, list));
    if (watch === undefined) return;
    watch.isTouched = true;
    if (!watch.isBusy) this.#schedule(watch, 0);
  }

  #schedule(watch: Watch, delayMs: number): void {
    if (this.#isStopped) return;
    if (watch.timer !== null) clearTimeout(watch.timer);
    watch.timer = setTimeout(() => void this.#limit(() => this.#attempt(watch)), delayMs).unref();
  }

  async #attempt(watch: Watch): Promise<void> {
    if (watch.isBusy || this.#isStopped) return;
    watch.isBusy = true;
    watch.isTouched = false;
    let nextMs: number | null = RETRY_MS;
    try {
      nextMs = await this.#poll(watch);
    } catch (error) {
      this.#app.logger.debug('A poll of a list failed', { error });
    }
    watch.isBusy = false;
    if (nextMs === null)
      this.#watches.delete(keyOf(watch.list.projectId, listName(watch.list.type, watch.list.userId)));
    else this.#schedule(watch, watch.isTouched ? Math.min(nextMs, MIN_INTERVAL_MS) : nextMs);
  }

  /**
   * Polls if it is due. Returns the milliseconds until the next attempt; null when nobody listens any more.
   */
  async #poll({ list, endpoint }: Watch): Promise<number | null> {
    const { changes, config, listeners, metrics } = this.#app;
    const listener = listeners.find(list.projectId, list.type, list.userId);
    if (listener === null) return null;
    const poll = await beginPoll(changes, list);
    if (poll === null) {
      // The keep time has passed without a renewal, for example because the store has lost its data.
      await changes.listen(list.projectId);
      return 0;
    }
    if (typeof poll === 'number') return poll;
    const result = await pollList(this.#app, endpoint, listener);
    metrics.pollEnded({ type: list.type, outcome: result.outcome });
    const { intervalSeconds, transitionSeconds } = config.events;
    const interval =
      intervalSeconds[resources[endpoint.watched].watched.interval] || config.events.keepSeconds / RENEWALS;
    const seconds = result.isInTransition ? Math.min(interval, transitionSeconds) : interval;
    const isTouched = await poll.end(seconds * 1000);
    return isTouched ? MIN_INTERVAL_MS : seconds * 1000;
  }
}

/** Whether listeners learn of the rows of the list. */
function isWatchedBy(
  { config }: Pick<AppContext, 'config'>,
  endpoint: AnyEndpoint,
): endpoint is WatchedEndpoint {
  const { service, watched } = endpoint;
  if (watched === undefined) return false;
  return service === undefined || config.services[service];
}

function keyOf(projectId: string, list: string): string {
  return `${projectId} ${list}`;
}
