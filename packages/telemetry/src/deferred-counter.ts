import { Counter, type Registry } from 'prom-client';

type Label = string | number;

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
): (...values: [Label] | [Label, Label] | [Label, Label, Label]) => void {
  const pendingByLabels = new Map<string, Pending>();
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      for (const entry of pendingByLabels.values()) {
        if (entry.count > 0) this.labels(...entry.labels).inc(entry.count);
        entry.count = 0;
      }
    },
  });
  return (...values) => {
    const key = values.join('\n');
    const entry = pendingByLabels.get(key);
    if (entry === undefined) pendingByLabels.set(key, { labels: values.map(String), count: 1 });
    else entry.count += 1;
  };
}
