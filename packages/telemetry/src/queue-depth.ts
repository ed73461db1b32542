import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { QueueDepths } from './events.ts';

/** Asks for the depths when scraped, waiting at most `timeoutMs`; without an answer there are no samples. */
export function queueDepthGauge(registry: Registry, timeoutMs: number) {
  let read: (() => Promise<QueueDepths>) | undefined;

  new Gauge({
    name: 'gateway_queue_jobs',
    help: 'Jobs in the queues, by state.',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      if (read === undefined) return;
      for (const [queue, states] of Object.entries(await within(timeoutMs, read))) {
        for (const [state, count] of Object.entries(states)) this.set({ queue, state }, count);
      }
    },
  });

  return {
    readWith(reader: () => Promise<QueueDepths>): void {
      read = reader;
    },
  };
}

async function within(timeoutMs: number, read: () => Promise<QueueDepths>): Promise<QueueDepths> {
  const waiting = new AbortController();
  const timeout = delay(timeoutMs, {}, { signal: waiting.signal }).catch(() => ({}));
  try {
    return await Promise.race([read(), timeout]);
  } catch {
    // The store is away: a scrape tells of everything else all the same.
    return {};
  } finally {
    waiting.abort();
  }
}
