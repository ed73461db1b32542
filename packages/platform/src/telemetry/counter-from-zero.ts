import { Counter } from 'prom-client';

/**
 * A counter whose series are 0 in their first scrape. Prometheus counts increases between two scrapes, so
 * what a series has when it appears would be missing from every rate and alert: all events of a rare kind,
 * and those of the first seconds of a process.
 */
export class CounterFromZero<Label extends string> extends Counter<Label> {
  readonly #scraped = new WeakSet<object>();

  override async get() {
    const metric = await super.get();
    const values = metric.values.map((series) =>
      this.#scraped.has(series) ? series : { ...series, value: 0 },
    );
    for (const series of metric.values) this.#scraped.add(series);
    return { ...metric, values };
  }
}
