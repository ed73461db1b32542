import { Counter, type Registry } from 'prom-client';
import { byLabels, type Labels } from './labelled.ts';

interface Pending {
  labels: string[];
  /** Not yet added to the registry. */
  count: number;
  isExposed: boolean;
}

/**
 * A counter whose increment is one addition: a scrape adds the sum to the registry.
 *
 * The first scrape of each series is 0. Prometheus counts increases between two scrapes, so what a series has
 * when it appears would be missing from every rate and alert: all events of a rare kind, and those of
 * the first seconds of a process.
 */
export function deferredCounter(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
): (...values: Labels) => void {
  const all: Pending[] = [];
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      for (const entry of all) {
        this.labels(...entry.labels).inc(entry.isExposed ? entry.count : 0);
        if (entry.isExposed) entry.count = 0;
        entry.isExposed = true;
      }
    },
  });
  const pending = byLabels((labels): Pending => {
    const entry = { labels, count: 0, isExposed: false };
    all.push(entry);
    return entry;
  });
  return (...values) => {
    pending(...values).count += 1;
  };
}
