import assert from 'node:assert/strict';
import { firstBootStages } from '@gateway/libraries';
import { createLogger, createMetrics } from '@gateway/platform';
import { type ApiService, createApiService } from '../../../apps/api/src/service.ts';
import { type EventStream, openStream } from '../clients/sse-client.ts';
import { mockUpstream } from '../doubles/upstream.ts';
import { freshKeyPrefix, testRedisUrl } from '../redis/test-redis.ts';
import { type ApiResponse, identityHeaders, type RequestOptions, send } from './client.ts';
import { FakeCloud } from './fake-cloud.ts';
import { listsOfNames } from './lists-of-names.ts';
import { captureLogLines, type LogLines } from './log-lines.ts';
import { readsOfCreations } from './reads-of-creations.ts';
import { configOf, type Settings } from './settings.ts';
import { TestClock } from './test-clock.ts';

export interface ApiOptions {
  /** Sections of the configuration file. */
  settings?: Settings;
  /** The Redis of the test run by default. */
  redisUrl?: string;
  /** The prefix of another api makes this api its second process. */
  keyPrefix?: string;
  sealingKeys?: string;
  clock?: TestClock;
}

/** An api inside the test process, with a fake cloud and a real Redis. */
export interface TestApi {
  readonly service: ApiService;
  readonly context: ApiService['context'];
  readonly clock: TestClock;
  readonly log: LogLines;
  readonly port: number;
  readonly keyPrefix: string;
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<ApiResponse<T>>;
  get<T = unknown>(path: string, options?: RequestOptions): Promise<ApiResponse<T>>;
  post<T = unknown>(path: string, options?: RequestOptions): Promise<ApiResponse<T>>;
  stream(method: string, path: string, options?: RequestOptions): Promise<EventStream>;
  /** Closes the api before the end of the test. */
  close(): Promise<void>;
}

export interface ApiSuite {
  /** The fake cloud of the current test. */
  readonly cloud: FakeCloud;
  start(options?: ApiOptions): Promise<TestApi>;
  /** Allows calls to a local port. */
  allowPort(port: number): void;
}

/**
 * Call within `describe`. Each test gets its own fake cloud, on which all calls but those for names beside
 * ids and for the checks of creations must be declared, and all declared calls must be made. Started apis are
 * closed after the test; their logs must not contain a token.
 */
export function apiSuite(): ApiSuite {
  let cloud: FakeCloud | undefined;
  const started: TestApi[] = [];
  const allowedHosts = new Set<string>();

  beforeEach(() => {
    allowedHosts.clear();
    cloud = new FakeCloud(
      mockUpstream((host) => allowedHosts.has(host), [...listsOfNames, ...readsOfCreations]),
    );
  });

  afterEach(async () => {
    const apis = started.splice(0);
    try {
      cloud?.upstream.assertAllUsed();
    } finally {
      await Promise.all(apis.map((api) => api.close()));
      cloud?.upstream.close();
    }
    for (const { log } of apis) assert.doesNotMatch(log.text(), /gAAAAA|PRIVATE KEY/, 'A secret was logged');
  });

  function allowPort(port: number): void {
    for (const host of ['127.0.0.1', '::1', '[::1]']) allowedHosts.add(`${host}:${port}`);
  }

  return {
    allowPort,
    get cloud() {
      if (cloud === undefined) throw new Error('The cloud exists during a test only.');
      return cloud;
    },
    async start(options = {}) {
      const api = await startApi(options);
      started.push(api);
      allowPort(api.port);
      return api;
    },
  };
}

async function startApi(options: ApiOptions): Promise<TestApi> {
  const { clock = new TestClock(), redisUrl = testRedisUrl(), keyPrefix = freshKeyPrefix('api') } = options;
  const log = captureLogLines();
  const service = createApiService({
    config: configOf({
      redisUrl,
      keyPrefix,
      settings: options.settings ?? {},
      sealingKeys: options.sealingKeys,
    }),
    logger: createLogger({ level: 'debug', format: 'json', service: 'api' }, log.stream),
    metrics: createMetrics({ processMetrics: false, firstBootStages }),
    clock,
  });
  await service.start();
  const { port } = service.address();
  let closing: Promise<void> | undefined;
  return {
    service,
    context: service.context,
    clock,
    log,
    port,
    keyPrefix,
    request: (method, path, request) => send({ port }, method, path, request),
    get: (path, request) => send({ port }, 'GET', path, request),
    post: (path, request) => send({ port }, 'POST', path, request),
    stream: (method, path, request = {}) =>
      openStream(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { ...identityHeaders(request), ...request.headers },
        body: request.body,
      }),
    close() {
      closing ??= service.close();
      return closing;
    },
  };
}
