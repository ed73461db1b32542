import '@gateway/core/heap-flags';
import { reloadConfig, watchServiceUser } from '@gateway/context';
import { firstBootStages } from '@gateway/libraries';
import { createLogger, createMetrics, createTracing, loadConfigOrExit, run } from '@gateway/platform';
import { createApiService } from './service.ts';

const config = loadConfigOrExit();
const origin = { gateway: config.gateway.name, region: config.identity.region };
const logger = createLogger({ ...config.log, service: 'api', origin });
const tracing = await createTracing(config.tracing, {
  service: 'api',
  origin,
  logger,
  headers: config.secrets.traceHeaders,
});
const metrics = createMetrics({ origin, firstBootStages });
const service = createApiService({ config, logger, metrics, tracing });
// The drain timeout is for requests or jobs in progress, the rest for closing other resources.
await run(service, {
  logger,
  shutdownTimeoutMs: (config.timeLimits.shutdownSeconds + 5) * 1000,
  reload: () => reloadConfig(service.context),
});
// Says in the log which services are too old for the gateway, before a request fails because of that.
service.context.microversionCheck.check().catch(() => {});
watchServiceUser(service.context);
