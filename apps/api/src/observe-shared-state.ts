import type { AuditOutbox } from '@gateway/activity';
import type { Dependencies } from '@gateway/context';
import { countHeldJobs, countLeftovers, readQueueLoads, readTaskStates } from '@gateway/jobs';
import { countByHealth, countLostCredentials } from '@gateway/lite';
import type { ReadOnlyMode } from './read-only-mode.ts';

/** The gauges of what all processes share. Only the api has them, so that each value is exposed once. */
export function observeSharedState(
  dependencies: Dependencies,
  readOnlyMode: ReadOnlyMode,
  auditOutbox: AuditOutbox | null,
): void {
  const { autoBackups, clock, config, liteClusterHealth, liteClusters, metrics, queues, redis, webhooks } =
    dependencies;
  metrics.observeReadOnlyMode(async () => (await readOnlyMode.readOrLast()) !== null);
  if (auditOutbox !== null) {
    metrics.observeAuditStream(async () => {
      const { delivered, dropped, oldestAt, waiting } = await auditOutbox.state();
      const oldestSeconds = oldestAt === null ? 0 : Math.max(0, clock.now() - oldestAt) / 1000;
      return { delivered, dropped, waiting, oldestSeconds };
    });
  }
  metrics.observeQueueDepth(() => queues.depths());
  metrics.observePausedQueues(() => queues.paused());
  metrics.observeQueueLoad(() => readQueueLoads(redis.store));
  metrics.observeLeftovers(() => countLeftovers(redis.store));
  metrics.observeHeldJobs(() => countHeldJobs(redis.store));
  metrics.observeFailedAutoBackups(() => autoBackups.store.countFailed());
  metrics.observeWaitingAutoBackups(async () => {
    const first = await autoBackups.store.firstWaiting();
    return first === null ? 0 : Math.max(0, clock.now() - first.since) / 1000;
  });
  metrics.observeWebhooks(async () => {
    const { projects, site } = await webhooks.oldestPending(clock.now());
    return { projects: projects / 1000, site: site / 1000 };
  });
  metrics.observeScheduledTasks(async () => {
    const states = Object.entries(await readTaskStates(redis.store, config));
    return Object.fromEntries(
      states.map(([name, { intervalMs, lastSuccessAt }]) => [
        name.replace('maintenance.', ''),
        { lastSuccessSeconds: lastSuccessAt / 1000, intervalSeconds: intervalMs / 1000 },
      ]),
    );
  });
  if (!config.services.lite) return;
  metrics.observeClusters(() => countByHealth(liteClusters, liteClusterHealth, clock.now()));
  metrics.observeLostCredentials(() => countLostCredentials(liteClusters));
}
