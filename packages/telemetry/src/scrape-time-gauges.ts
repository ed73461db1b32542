import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { QueueDepths } from './events.ts';

/** A gauge whose value is computed at scrape time. It has no samples if the computation fails or takes too long. */
interface ScrapeTimeGauge<T> {
  setReader(reader: () => Promise<T>): void;
}

export function queueDepthGauge(registry: Registry, timeoutMs: number): ScrapeTimeGauge<QueueDepths> {
  return scrapeTimeGauge<QueueDepths>(registry, timeoutMs, {
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

export function leftoversGauge(registry: Registry, timeoutMs: number): ScrapeTimeGauge<number> {
  return scrapeTimeGauge<number>(registry, timeoutMs, {
    name: 'gateway_leftovers',
    help: 'Resources that could not be removed and wait for the next sweep.',
    labelNames: [],
    set: (gauge, count) => gauge.set(count),
  });
}

interface GaugeOptions<T> {
  name: string;
  help: string;
  labelNames: string[];
  set(gauge: Gauge, value: T): void;
}

function scrapeTimeGauge<T>(
  registry: Registry,
  timeoutMs: number,
  options: GaugeOptions<T>,
): ScrapeTimeGauge<T> {
  let read: (() => Promise<T>) | undefined;
  const { set, ...configuration } = options;
  new Gauge({
    ...configuration,
    registers: [registry],
    async collect() {
      this.reset();
      // A reset sets a gauge without labels to zero, which would be a wrong value.
      if (options.labelNames.length === 0) this.remove();
      const value = read === undefined ? undefined : await withTimeout(timeoutMs, read);
      if (value !== undefined) set(this, value);
    },
  });
  return {
    setReader(reader) {
      read = reader;
    },
  };
}

/** Undefined after an error or the timeout, so that a scrape reports the other metrics while Redis is unavailable. */
async function withTimeout<T>(timeoutMs: number, read: () => Promise<T>): Promise<T | undefined> {
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
