import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { QueueDepths } from './events.ts';

/** A figure that is asked for when scraped. Where no answer comes in time, there are no samples. */
interface AskedGauge<T> {
  readWith(reader: () => Promise<T>): void;
}

export function queueDepthGauge(registry: Registry, timeoutMs: number): AskedGauge<QueueDepths> {
  return askedGauge<QueueDepths>(registry, timeoutMs, {
    name: 'gateway_queue_jobs',
    help: 'Jobs in the queues, by state.',
    labelNames: ['queue', 'state'],
    set(gauge, depths) {
      for (const [queue, states] of Object.entries(depths)) {
        for (const [state, count] of Object.entries(states)) gauge.set({ queue, state }, count);
      }
    },
  });
}

export function leftoversGauge(registry: Registry, timeoutMs: number): AskedGauge<number> {
  return askedGauge<number>(registry, timeoutMs, {
    name: 'gateway_leftovers',
    help: 'Resources that could not be undone and still wait for the sweeper.',
    labelNames: [],
    set: (gauge, count) => gauge.set(count),
  });
}

interface Figure<T> {
  name: string;
  help: string;
  labelNames: string[];
  set(gauge: Gauge, answer: T): void;
}

function askedGauge<T>(registry: Registry, timeoutMs: number, figure: Figure<T>): AskedGauge<T> {
  let read: (() => Promise<T>) | undefined;
  const { set, ...description } = figure;
  new Gauge({
    ...description,
    registers: [registry],
    async collect() {
      this.reset();
      // Without labels a reset leaves a zero, which nobody has counted.
      if (figure.labelNames.length === 0) this.remove();
      const answer = read === undefined ? undefined : await within(timeoutMs, read);
      if (answer !== undefined) set(this, answer);
    },
  });
  return {
    readWith(reader) {
      read = reader;
    },
  };
}

/** The store may be away: a scrape tells of everything else all the same. */
async function within<T>(timeoutMs: number, read: () => Promise<T>): Promise<T | undefined> {
  const waiting = new AbortController();
  const timeout = delay(timeoutMs, undefined, { signal: waiting.signal }).catch(() => undefined);
  try {
    return await Promise.race([read(), timeout]);
  } catch {
    return undefined;
  } finally {
    waiting.abort();
  }
}
