import { Counter, type Registry } from 'prom-client';

type Label = string | number;

interface Tallied {
  labels: string[];
  /** Not yet handed on. */
  pending: number;
}

/**
 * A counter for what happens thousands of times a second: counting is one addition, and what was counted is
 * handed to the registry when it is scraped.
 */
export function tally(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
): (...values: [Label] | [Label, Label] | [Label, Label, Label]) => void {
  const tallied = new Map<string, Tallied>();
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      for (const entry of tallied.values()) {
        if (entry.pending > 0) this.labels(...entry.labels).inc(entry.pending);
        entry.pending = 0;
      }
    },
  });
  return (...values) => {
    const key = values.join('\n');
    const entry = tallied.get(key);
    if (entry === undefined) tallied.set(key, { labels: values.map(String), pending: 1 });
    else entry.pending += 1;
  };
}
