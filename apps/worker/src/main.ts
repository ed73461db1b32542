import { loadConfigOrExit } from '@gateway/config';
import { jobTraits } from '@gateway/jobs';
import { run } from '@gateway/runtime';
import { createLogger, createMetrics, createTracing } from '@gateway/telemetry';
import { createWorkerService } from './service.ts';

const config = loadConfigOrExit();
const logger = createLogger({ ...config.log, service: 'worker' });
const tracing = await createTracing(config.tracing, { service: 'worker', logger });
const service = createWorkerService({
  config,
  logger,
  metrics: createMetrics({ jobTypes: Object.keys(jobTraits) }),
  tracing,
  queues: config.jobs.queues,
});
await run(service, { logger, shutdownTimeoutMs: (config.timeLimits.shutdownSeconds + 5) * 1000 });
