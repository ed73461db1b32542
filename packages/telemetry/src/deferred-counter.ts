import { Counter, type Registry } from 'prom-client';
import { byLabels, type Labels } from './labelled.ts';

interface Pending {
  labels: string[];
  /** Not yet added to the registry. */
  count: number;
}

/** A counter for frequent events: an increment is one addition, and a scrape adds the sum to the registry. */
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
        if (entry.count > 0) this.labels(...entry.labels).inc(entry.count);
        entry.count = 0;
      }
    },
  });
  const pending = byLabels((labels): Pending => {
    const entry = { labels, count: 0 };
    all.push(entry);
    return entry;
  });
  return (...values) => {
    pending(...values).count += 1;
  };
}
