import { loadConfigOrExit } from '@gateway/config';
import { run } from '@gateway/runtime';
import { createLogger, createMetrics } from '@gateway/telemetry';
import { createApiService } from './service.ts';

const config = loadConfigOrExit();
const logger = createLogger({ ...config.log, service: 'api' });
const service = createApiService({ config, logger, metrics: createMetrics() });
// Closing takes at most the drain time; the rest is for what is closed after it.
await run(service, { logger, deadlineMs: (config.http.drainTimeoutSeconds + 5) * 1000 });
