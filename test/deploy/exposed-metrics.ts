import { createMetrics } from '@gateway/telemetry';

/** The label names of each time series, by its name. */
export type ExposedMetrics = Map<string, Set<string>>;

/** Labels that Prometheus adds to every time series that it scrapes. */
export const targetLabels = ['job', 'instance'];

/** Reads the text exposition format. Histograms have a name for each of their parts. */
export function readExposition(text: string): ExposedMetrics {
  const metrics: ExposedMetrics = new Map();
  for (const line of text.split('\n')) {
    const [, name = '', type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (type === 'histogram') {
      for (const part of ['bucket', 'sum', 'count']) metrics.set(`${name}_${part}`, new Set());
    } else if (type !== undefined) metrics.set(name, new Set());
    const [, sample = '', labels = ''] = /^([a-z]\w*)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (sample === '') continue;
    const names = metrics.get(sample) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/([a-z_]\w*)="/g)) names.add(label);
    metrics.set(sample, names);
  }
  return metrics;
}

/** All metrics of api and worker, each with a sample, so that all labels are known. */
export async function allMetrics(): Promise<ExposedMetrics> {
  const metrics = createMetrics();
  metrics.requestFinished({ method: 'GET', route: '/', status: 200, durationSeconds: 1 });
  metrics.upstreamCall({ service: 'compute', operation: 'servers.list', status: 200, durationSeconds: 1 });
  metrics.cacheRead({ list: 'images', outcome: 'shared_hit' });
  metrics.listCompressed({ list: 'images', encoding: 'zstd' });
  metrics.jobBegun({ type: 'instance.create', waitSeconds: 1 });
  metrics.jobFinished({ type: 'instance.create', outcome: 'failed', durationSeconds: 1 });
  metrics.stepFinished({ type: 'instance.create', step: 'port', outcome: 'left', durationSeconds: 1 });
  metrics.observeQueueDepth(async () => ({ cleanup: { waiting: 1 } }));
  metrics.observeQueueLoad(async () => ({
    cleanup: { workers: 1, slots: 1, wantedSlots: 1, oldestWaitingSeconds: 1 },
  }));
  metrics.observeLeftovers(async () => 1);
  metrics.observeRedis(async () => ({ store: { isUp: true, memory: { usedBytes: 1, limitBytes: 1 } } }));
  metrics.observeClusters(async () => ({ HEALTHY: 1 }));
  return readExposition((await metrics.metricsText()).body);
}
