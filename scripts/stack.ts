import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Child } from './child-process.ts';
import { freePort } from './free-port.ts';
import { type RunningRedis, startRedis } from './redis.ts';
import { type ServerProcess, startServer, type Variables } from './server-process.ts';
import {
  demoBuildSettings,
  demoLiteSettings,
  demoServiceUser,
  environmentWithoutSettings,
  memoryOptions,
  newSealingKeys,
  writeConfigFile,
} from './stack-environment.ts';

export interface StackOptions {
  /** The number of api and worker processes; 1 each by default. */
  apis?: number;
  workers?: number;
  /**
   * The folders of the releases that api and worker processes are started from, in turn; this project by
   * default.
   */
  sources?: readonly string[];
  /** Whether to start a simulated cloud; true by default without an identity URL. */
  cloudsim?: boolean;
  /** The identity URL of another cloud. */
  identityUrl?: string;
  /** The URL of a running Redis. By default a private Redis is started, with its data in `redisDir`. */
  redisUrl?: string;
  redisDir?: string;
  /** Ports of the first process of each kind; free ports by default. */
  ports?: { api?: number; worker?: number; cloudsim?: number; redis?: number };
  /** The configuration of api and worker, with the keys of the configuration file. */
  config?: Record<string, unknown>;
  /** Additional variables of api and worker; undefined removes a variable. */
  env?: Variables;
  cloudsimEnv?: Variables;
  /** The folder with the bundles of this project's api, worker and cloudsim; their sources by default. */
  bundles?: string;
  /** Whether api and worker inherit this process's gateway settings; false by default. */
  inheritSettings?: boolean;
  /** Called with each line of output. */
  onLine?(process: string, line: string): void;
  /** Maximum number of output lines kept per process; 5,000 by default. */
  maxLines?: number;
  /** Whether api, worker and cloudsim start again when somebody ends them with a signal; false by default. */
  restarts?: boolean;
  /** Discards the logs of api and worker, for benchmarks. */
  discardLogs?: boolean;
}

export interface Stack {
  readonly apis: ServerProcess[];
  readonly workers: ServerProcess[];
  /** Null with another cloud. */
  readonly cloudsim: ServerProcess | null;
  /** Null with a given Redis. */
  readonly redis: RunningRedis | null;
  readonly redisUrl: string;
  readonly identityUrl: string | null;
  /** The URL of the first api. */
  readonly url: string;
  /**
   * Starts another process with the same configuration and additional variables.
   * @param source the folder of its release
   */
  addApi(env?: Variables, source?: string): Promise<ServerProcess>;
  addWorker(env?: Variables, source?: string): Promise<ServerProcess>;
  /** Resolves with a message when a process exits unexpectedly. */
  readonly exitedUnexpectedly: Promise<string>;
  /** Stops workers, apis, cloudsim and Redis, in this order. */
  stop(): Promise<void>;
}

/**
 * Starts the gateway and its dependencies as separate processes, and waits until all are ready.
 * @throws when a process does not start, with the last lines of its output; the other processes are stopped
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { apis = 1, workers = 1 } = options;
  const stack = new ProcessStack(options);
  try {
    await stack.startBase();
    const started = await Promise.allSettled([
      ...Array.from({ length: apis }, () => stack.addApi()),
      ...Array.from({ length: workers }, () => stack.addWorker()),
    ]);
    throwFirst(started);
  } catch (error) {
    await stack.stop();
    throw error;
  }
  return stack;
}

class ProcessStack implements Stack {
  readonly apis: ServerProcess[] = [];
  readonly workers: ServerProcess[] = [];
  cloudsim: ServerProcess | null = null;
  redis: RunningRedis | null = null;
  readonly exitedUnexpectedly: Promise<string>;
  readonly #options: StackOptions;
  readonly #configFile: string | null;
  readonly #sealingKeys = newSealingKeys();
  readonly #reportExit: (reason: string) => void;
  #counts = { api: 0, worker: 0 };
  /** Reserved before the api starts, because workers pass it to the builders that report to the api. */
  #firstApiPort = 0;
  #stopping: Promise<void> | undefined;

  constructor(options: StackOptions) {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.exitedUnexpectedly = promise;
    this.#reportExit = resolve;
    this.#options = options;
    this.#configFile = options.config === undefined ? null : writeConfigFile(options.config);
  }

  get redisUrl(): string {
    return this.#options.redisUrl ?? this.redis?.url ?? '';
  }

  get identityUrl(): string | null {
    const simulated = this.cloudsim && `${this.cloudsim.url}/identity/v3`;
    return this.#options.identityUrl ?? simulated;
  }

  get url(): string {
    return this.apis[0]?.url ?? '';
  }

  /** Starts Redis and cloudsim, which api and worker need. */
  async startBase(): Promise<void> {
    const { redisUrl, redisDir, ports, identityUrl, cloudsim = identityUrl === undefined } = this.#options;
    this.#firstApiPort = ports?.api ?? (await freePort());
    const started = await Promise.allSettled([
      redisUrl === undefined &&
        startRedis({ dir: redisDir, port: ports?.redis }).then((redis) => {
          this.redis = this.#watch(redis);
        }),
      cloudsim &&
        this.#startCloudsim().then((server) => {
          this.cloudsim = this.#watch(server);
        }),
    ]);
    throwFirst(started);
  }

  async addApi(env?: Variables, source?: string): Promise<ServerProcess> {
    const api = await startServer({
      ...this.#nextOf('api', source),
      portVariable: 'PORT',
      healthPath: '/api/health',
      env: { ...this.#gatewayEnvironment(), ...env },
      restarts: this.#options.restarts,
      onLine: this.#options.onLine,
      maxLines: this.#options.maxLines,
      discardOutput: this.#options.discardLogs,
    });
    this.apis.push(this.#watch(api));
    return api;
  }

  async addWorker(env?: Variables, source?: string): Promise<ServerProcess> {
    const worker = await startServer({
      ...this.#nextOf('worker', source),
      portVariable: 'WORKER_PORT',
      healthPath: '/health',
      env: { ...this.#gatewayEnvironment(), ...env },
      restarts: this.#options.restarts,
      onLine: this.#options.onLine,
      maxLines: this.#options.maxLines,
      discardOutput: this.#options.discardLogs,
    });
    this.workers.push(this.#watch(worker));
    return worker;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopInOrder();
    return this.#stopping;
  }

  /**
   * The cloud stops after the workers, which may roll back. Redis stops last, because all others write to it.
   */
  async #stopInOrder(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
    await Promise.all(this.apis.map((api) => api.stop()));
    await this.cloudsim?.stop();
    await this.redis?.stop();
    if (this.#configFile) rmSync(dirname(this.#configFile), { recursive: true, force: true });
  }

  #startCloudsim(): Promise<ServerProcess> {
    return startServer({
      name: 'cloudsim',
      entry: this.#entryOf('cloudsim'),
      port: this.#options.ports?.cloudsim,
      portVariable: 'CLOUDSIM_PORT',
      healthPath: '/identity/v3',
      env: { ...environmentWithoutSettings(), ...this.#options.cloudsimEnv },
      restarts: this.#options.restarts,
      onLine: this.#options.onLine,
      maxLines: this.#options.maxLines,
    });
  }

  #gatewayEnvironment(): Variables {
    const { inheritSettings, env } = this.#options;
    const isReachable = this.cloudsim !== null || inheritSettings !== true;
    return {
      ...memoryOptions,
      ...(this.cloudsim ? { ...demoServiceUser, ...demoBuildSettings, ...demoLiteSettings } : {}),
      ...(isReachable ? { GATEWAY_PUBLIC_URL: `http://127.0.0.1:${this.#firstApiPort}` } : {}),
      GATEWAY_SEALING_KEYS: this.#sealingKeys,
      ...(inheritSettings ? process.env : environmentWithoutSettings()),
      REDIS_URL: this.redisUrl,
      ...(this.identityUrl ? { OS_AUTH_URL: this.identityUrl } : {}),
      ...(this.#configFile ? { GATEWAY_CONFIG: this.#configFile } : {}),
      ...env,
    };
  }

  /** `api` for a single process, otherwise `api-1`, `api-2`. The first process gets the configured port. */
  #nextOf(
    kind: 'api' | 'worker',
    given?: string,
  ): { name: string; port?: number; source?: string; entry: string } {
    this.#counts[kind] += 1;
    const number = this.#counts[kind];
    const { sources = [] } = this.#options;
    const source = given ?? sources[(number - 1) % sources.length];
    const expected = (kind === 'api' ? this.#options.apis : this.#options.workers) ?? 1;
    return {
      name: expected === 1 && number === 1 ? kind : `${kind}-${number}`,
      port: number === 1 ? this.#firstPort(kind) : undefined,
      source,
      entry: this.#entryOf(kind, source),
    };
  }

  #entryOf(app: 'api' | 'worker' | 'cloudsim', source?: string): string {
    const { bundles } = this.#options;
    return bundles === undefined || source !== undefined
      ? `apps/${app}/src/main.ts`
      : join(bundles, `${app}.mjs`);
  }

  #firstPort(kind: 'api' | 'worker'): number | undefined {
    return kind === 'api' ? this.#firstApiPort : this.#options.ports?.worker;
  }

  #watch<T extends Child>(child: T): T {
    void child.exitedUnexpectedly.then((reason) => this.#reportExit(reason));
    return child;
  }
}

/** Throws after all have settled, so that the started processes can be stopped. */
function throwFirst(results: PromiseSettledResult<unknown>[]): void {
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
