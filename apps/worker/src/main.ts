import '@gateway/core/heap-flags';
import { reloadConfig, watchServiceUser } from '@gateway/context';
import { createLogger, createMetrics, createTracing, loadConfigOrExit, run } from '@gateway/platform';
import { createWorkerService } from './service.ts';

const config = loadConfigOrExit();
const origin = { gateway: config.gateway.name, region: config.identity.region };
const logger = createLogger({ ...config.log, service: 'worker', origin });
const tracing = await createTracing(config.tracing, {
  service: 'worker',
  origin,
  logger,
  headers: config.secrets.traceHeaders,
});
const service = createWorkerService({
  config,
  logger,
  metrics: createMetrics({ origin }),
  tracing,
  queues: config.jobs.queues,
});
await run(service, {
  logger,
  shutdownTimeoutMs: (config.timeLimits.shutdownSeconds + 5) * 1000,
  reload: () => reloadConfig(service.context),
});
// Says in the log which services are too old for the gateway, before a job fails because of that.
service.context.microversionCheck.check().catch(() => {});
watchServiceUser(service.context);
