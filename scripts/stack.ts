import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Child } from './child-process.ts';
import { freePort } from './free-port.ts';
import { type RunningRedis, startRedis } from './redis.ts';
import { type ServerProcess, startServer, type Variables } from './server-process.ts';
import {
  demoBuilds,
  demoServiceUser,
  environmentWithoutSettings,
  newSealingKeys,
  writeConfigFile,
} from './stack-environment.ts';

export interface StackOptions {
  /** How many api and worker processes; 1 of each unless given. */
  apis?: number;
  workers?: number;
  /** Whether a simulated cloud is started; true unless an identity URL is given. */
  cloudsim?: boolean;
  /** The identity service of another cloud. */
  identityUrl?: string;
  /** A Redis that runs already; else a private one is started, on `redisDir` when given. */
  redisUrl?: string;
  redisDir?: string;
  /** Ports of the first process of each kind; any free one where not given. */
  ports?: { api?: number; worker?: number; cloudsim?: number; redis?: number };
  /** What the configuration file of api and worker holds, in the file's own names. */
  config?: Record<string, unknown>;
  /** Put over the environment of api and worker; undefined takes a variable away. */
  env?: Variables;
  cloudsimEnv?: Variables;
  /** Whether variables of this process that configure the gateway reach api and worker; false unless given. */
  inheritSettings?: boolean;
  /** Every line that a process writes, as it writes it. */
  onLine?(process: string, line: string): void;
  /** How many lines of each process are kept; 5,000 unless given. */
  keptLines?: number;
  /** Nobody reads what api and worker log: for measuring, where a reader would take part of the machine. */
  discardLogs?: boolean;
}

export interface Stack {
  readonly apis: ServerProcess[];
  readonly workers: ServerProcess[];
  /** Null when another cloud is used. */
  readonly cloudsim: ServerProcess | null;
  /** Null when a Redis was given. */
  readonly redis: RunningRedis | null;
  readonly redisUrl: string;
  readonly identityUrl: string | null;
  /** The first api's address. */
  readonly url: string;
  /** One more, with the same configuration and what is given here put over it. */
  addApi(env?: Variables): Promise<ServerProcess>;
  addWorker(env?: Variables): Promise<ServerProcess>;
  /** Resolves with a sentence when a process ends that nobody ended. */
  readonly died: Promise<string>;
  /** Workers, apis, cloudsim, Redis, in that order. */
  stop(): Promise<void>;
}

/**
 * Brings up the gateway with what it needs, each part as a process of its own, all of them ready.
 * @throws when a part does not come up, with the last lines it wrote; the others are stopped again.
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
  readonly died: Promise<string>;
  readonly #options: StackOptions;
  readonly #configFile: string | null;
  readonly #sealingKeys = newSealingKeys();
  readonly #announceDeath: (reason: string) => void;
  #counts = { api: 0, worker: 0 };
  /** Known before there is an api: workers tell it to the machines that report there. */
  #firstApiPort = 0;
  #stopping: Promise<void> | undefined;

  constructor(options: StackOptions) {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.died = promise;
    this.#announceDeath = resolve;
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

  /** What api and worker need before they start. */
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

  async addApi(env?: Variables): Promise<ServerProcess> {
    const api = await startServer({
      ...this.#nameAndPort('api'),
      entry: 'apps/api/src/main.ts',
      portVariable: 'PORT',
      healthPath: '/api/health',
      env: { ...this.#gatewayEnvironment(), ...env },
      onLine: this.#options.onLine,
      keptLines: this.#options.keptLines,
      discardOutput: this.#options.discardLogs,
    });
    this.apis.push(this.#watch(api));
    return api;
  }

  async addWorker(env?: Variables): Promise<ServerProcess> {
    const worker = await startServer({
      ...this.#nameAndPort('worker'),
      entry: 'apps/worker/src/main.ts',
      portVariable: 'WORKER_PORT',
      healthPath: '/health',
      env: { ...this.#gatewayEnvironment(), ...env },
      onLine: this.#options.onLine,
      keptLines: this.#options.keptLines,
      discardOutput: this.#options.discardLogs,
    });
    this.workers.push(this.#watch(worker));
    return worker;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopInOrder();
    return this.#stopping;
  }

  /** A worker's last words go to Redis, so it is last; the cloud stays for what the workers still undo. */
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
      entry: 'apps/cloudsim/src/main.ts',
      port: this.#options.ports?.cloudsim,
      portVariable: 'CLOUDSIM_PORT',
      healthPath: '/identity/v3',
      env: { ...environmentWithoutSettings(), ...this.#options.cloudsimEnv },
      onLine: this.#options.onLine,
      keptLines: this.#options.keptLines,
    });
  }

  #gatewayEnvironment(): Variables {
    const { inheritSettings, env } = this.#options;
    const isReachable = this.cloudsim !== null || inheritSettings !== true;
    return {
      ...(this.cloudsim ? { ...demoServiceUser, ...demoBuilds } : {}),
      ...(isReachable ? { GATEWAY_PUBLIC_URL: `http://127.0.0.1:${this.#firstApiPort}` } : {}),
      GATEWAY_SEALING_KEYS: this.#sealingKeys,
      ...(inheritSettings ? process.env : environmentWithoutSettings()),
      REDIS_URL: this.redisUrl,
      ...(this.identityUrl ? { OS_AUTH_URL: this.identityUrl } : {}),
      ...(this.#configFile ? { GATEWAY_CONFIG: this.#configFile } : {}),
      ...env,
    };
  }

  /** `api` when there is one, `api-1`, `api-2` when there are more; the first has the port that was asked for. */
  #nameAndPort(kind: 'api' | 'worker'): { name: string; port?: number } {
    this.#counts[kind] += 1;
    const number = this.#counts[kind];
    const expected = (kind === 'api' ? this.#options.apis : this.#options.workers) ?? 1;
    return {
      name: expected === 1 && number === 1 ? kind : `${kind}-${number}`,
      port: number === 1 ? this.#firstPort(kind) : undefined,
    };
  }

  #firstPort(kind: 'api' | 'worker'): number | undefined {
    return kind === 'api' ? this.#firstApiPort : this.#options.ports?.worker;
  }

  #watch<T extends Child>(child: T): T {
    void child.died.then((reason) => this.#announceDeath(reason));
    return child;
  }
}

/** After all have settled, so that the ones that came up can be stopped. */
function throwFirst(results: PromiseSettledResult<unknown>[]): void {
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
