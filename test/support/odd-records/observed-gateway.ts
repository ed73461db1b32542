import { Writable } from 'node:stream';
import { firstBootStages } from '@gateway/libraries';
import { createLogger, createMetrics, loadConfig } from '@gateway/platform';
import type { AppContext } from '../../../apps/api/src/context.ts';
import { createApiService } from '../../../apps/api/src/service.ts';
import { type Cloudsim, startCloudsim } from '../../../apps/cloudsim/src/server.ts';
import { createWorkerService } from '../../../apps/worker/src/service.ts';
import {
  demoBuildSettings,
  demoServiceUser,
  newSealingKeys,
  writeConfigFile,
} from '../../../scripts/stack-environment.ts';
import { RewritingCloud } from '../doubles/rewriting-cloud.ts';
import { freshKeyPrefix, testRedisUrl } from '../redis/test-redis.ts';
import { coldCaches } from '../stacks/cache-lifetimes.ts';

/**
 * Api, worker and simulated cloud in this process, where a test sees what the clients of the services read,
 * without cached lists.
 */
export class ObservedGateway {
  readonly url: string;
  readonly cloudsim: Cloudsim;
  readonly cloud: RewritingCloud;
  /** Of the api. */
  readonly context: AppContext;
  readonly #closers: (() => Promise<unknown>)[];

  private constructor(
    url: string,
    cloudsim: Cloudsim,
    cloud: RewritingCloud,
    context: AppContext,
    closers: (() => Promise<unknown>)[],
  ) {
    this.url = url;
    this.cloudsim = cloudsim;
    this.cloud = cloud;
    this.context = context;
    this.#closers = closers;
  }

  static async start(): Promise<ObservedGateway> {
    const cloud = await RewritingCloud.start();
    const cloudsim = await startCloudsim({ delayScale: 0, publicUrl: cloud.url });
    cloud.passTo(cloudsim.url);
    const config = loadConfig({
      ...demoServiceUser,
      ...demoBuildSettings,
      GATEWAY_CONFIG: writeConfigFile({
        services: { container: true, lite: true },
        cache: coldCaches,
        time_limits: { dashboard_part_seconds: 60 },
        jobs: { poll_interval_ms: 100 },
        redis: { key_prefix: freshKeyPrefix('sweep') },
      }),
      GATEWAY_SEALING_KEYS: newSealingKeys(),
      OS_AUTH_URL: `${cloud.url}/identity/v3`,
      REDIS_URL: testRedisUrl(),
      HOST: '127.0.0.1',
      PORT: '0',
      WORKER_PORT: '0',
    });
    const logger = createLogger(
      { level: 'error', format: 'json', service: 'sweep' },
      new Writable({ write: (_chunk, _encoding, done) => done() }),
    );
    const parts = () => ({
      config,
      logger,
      metrics: createMetrics({ processMetrics: false, firstBootStages }),
    });
    const api = createApiService(parts());
    const worker = createWorkerService({ ...parts(), queues: config.jobs.queues });
    await api.start();
    await worker.start();
    const closers = [() => worker.close(), () => api.close(), () => cloudsim.close(), () => cloud.stop()];
    return new ObservedGateway(
      `http://127.0.0.1:${api.address().port}`,
      cloudsim,
      cloud,
      api.context,
      closers,
    );
  }

  async stop(): Promise<void> {
    for (const close of this.#closers) await close();
  }
}
