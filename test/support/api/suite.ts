import assert from 'node:assert/strict';
import { createLogger, createMetrics } from '@gateway/telemetry';
import { type ApiService, createApiService } from '../../../apps/api/src/service.ts';
import { freshKeyPrefix, testRedisUrl } from '../redis.ts';
import { type EventStream, openStream } from '../sse-client.ts';
import { mockUpstream } from '../upstream.ts';
import { type Answer, identityHeaders, type RequestOptions, send } from './client.ts';
import { Cloud } from './cloud.ts';
import { keepLogLines, type LogLines } from './log-lines.ts';
import { configOf, type Settings } from './settings.ts';
import { TestClock } from './test-clock.ts';

export interface ApiOptions {
  /** Parts of the configuration file. */
  settings?: Settings;
  /** Another than the run's. */
  redisUrl?: string;
  /** That of another api, to be its second process. */
  keyPrefix?: string;
  clock?: TestClock;
}

/** One api process, in this one, over a faked cloud and a real Redis. */
export interface TestApi {
  readonly service: ApiService;
  readonly context: ApiService['context'];
  readonly clock: TestClock;
  readonly log: LogLines;
  readonly port: number;
  readonly keyPrefix: string;
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<Answer<T>>;
  get<T = unknown>(path: string, options?: RequestOptions): Promise<Answer<T>>;
  post<T = unknown>(path: string, options?: RequestOptions): Promise<Answer<T>>;
  stream(method: string, path: string, options?: RequestOptions): Promise<EventStream>;
  /** Closes it before the test's end. */
  close(): Promise<void>;
}

export interface ApiSuite {
  /** The cloud of the test that runs. */
  readonly cloud: Cloud;
  start(options?: ApiOptions): Promise<TestApi>;
  /** Lets calls through to this port of the test's own. */
  admit(port: number): void;
}

/**
 * To be called within `describe`. Each test has a faked cloud of its own, where every call must be declared and
 * be made; what it starts is closed after it. No token may have come into a log line.
 */
export function apiSuite(): ApiSuite {
  let cloud: Cloud | undefined;
  const started: TestApi[] = [];
  const admitted = new Set<string>();

  beforeEach(() => {
    admitted.clear();
    cloud = new Cloud(mockUpstream((host) => admitted.has(host)));
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

  function admit(port: number): void {
    admitted.add(`127.0.0.1:${port}`);
  }

  return {
    admit,
    get cloud() {
      if (cloud === undefined) throw new Error('There is a cloud within a test only.');
      return cloud;
    },
    async start(options = {}) {
      const api = await startApi(options);
      started.push(api);
      admit(api.port);
      return api;
    },
  };
}

async function startApi(options: ApiOptions): Promise<TestApi> {
  const { clock = new TestClock(), redisUrl = testRedisUrl(), keyPrefix = freshKeyPrefix('api') } = options;
  const log = keepLogLines();
  const service = createApiService({
    config: configOf({ redisUrl, keyPrefix, settings: options.settings ?? {} }),
    logger: createLogger({ level: 'debug', format: 'json', service: 'api' }, log.stream),
    metrics: createMetrics({ processMetrics: false }),
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
