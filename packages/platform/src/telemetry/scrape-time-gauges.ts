import { SingleFlight, withinTime } from '@gateway/core';
import { Gauge, type Registry } from 'prom-client';

/** One sample: its labels and its value. */
export type Sample = readonly [labels: Record<string, string>, value: number];

interface GaugeOptions<T> {
  name: string;
  help: string;
  labelNames: string[];
  samples(value: T): Sample[];
}

/**
 * Gauges whose values are computed at scrape time, by the reader that is passed to the returned function. A
 * scrape calls it once for all of them. They have no samples if it fails or takes too long.
 */
export function scrapeTimeGauges<T>(
  registry: Registry,
  timeoutMs: number,
  gauges: GaugeOptions<T>[],
): (reader: () => Promise<T>) => void {
  let read: (() => Promise<T>) | undefined;
  const reads = new SingleFlight<T | undefined>();
  for (const { name, help, labelNames, samples } of gauges) {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        this.reset();
        // A reset would set a gauge without labels to zero, which is a wrong value.
        if (labelNames.length === 0) this.remove();
        if (read === undefined) return;
        const reader = read;
        const value = await reads.run('', () => withTimeout(timeoutMs, reader));
        if (value === undefined) return;
        for (const [labels, sample] of samples(value)) this.set(labels, sample);
      },
    });
  }
  return (reader) => {
    read = reader;
  };
}

/**
 * Undefined after an error or the timeout, so that a scrape reports the other metrics
 * while Redis is unavailable.
 */
async function withTimeout<T>(timeoutMs: number, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withinTime(read(), timeoutMs, () => undefined);
  } catch {
    return undefined;
  }
}
