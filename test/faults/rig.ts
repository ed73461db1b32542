import type { Child } from '../../scripts/child-process.ts';
import type { ServerProcess } from '../../scripts/server-process.ts';
import type { Stack } from '../../scripts/stack.ts';
import { type AutoBackup, autoBackupPath, DueTimes } from '../support/auto-backups.ts';
import { CloudClient } from '../support/cloud-client.ts';
import { CloudsimControl, type Inventory } from '../support/cloudsim-control.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayClient } from '../support/gateway-client.ts';
import { preparePrebuiltShare } from '../support/prepared-cloud.ts';
import type { EventStream } from '../support/sse-client.ts';
import { serviceLogin, startTestStack, testLogin } from '../support/test-stack.ts';
import { type Change, differences } from './inventory-differences.ts';

/** A running job, and the stream of the request that started it, if any. */
export interface StartedJob {
  jobId: string;
  stream: EventStream | null;
}

export interface JobState {
  status: 'completed' | 'failed' | 'cancelled';
  leftovers: { type: string; id: string; reason: string }[];
}

/** Libraries by source: a CephFS share, an NFS share, or none. */
export const libraries = {
  /** Not built yet. */
  unbuilt: { id: 'unbuilt', version: '1' },
  native: { id: 'native', version: '1' },
  nfs: { id: 'addressed', version: '1' },
  dynamic: { id: 'installed', version: '1' },
};

export interface RigOptions {
  /** Factor on the delays of the simulated cloud; with 1 a server takes two seconds. */
  delayScale?: number;
  /** The `late_call_seconds`: how long a run waits for late calls of a killed run. */
  lateCallSeconds?: number;
}

type Clients = Record<'demo' | 'admin', GatewayClient>;

/** The upstream timeout; long enough for a busy machine. */
const UPSTREAM_SECONDS = 3;
const CLEANUP_TIMEOUT_MS = 20_000;
const KEY_PREFIX = 'faults:';
/** As fast as possible with all intermediate states visible. */
const FAST_DELAY_SCALE = 0.05;

/** The whole system, with methods to inject faults and restore it case by case. */
export class Rig {
  readonly stack: Stack;
  readonly control: CloudsimControl;
  readonly baseline: Inventory;
  readonly imageId: string;
  readonly flavorId: string;
  /** The cloud client of the demo user. */
  readonly cloud: CloudClient;
  /** Makes auto backups due. */
  readonly due: DueTimes;
  readonly #clients: Clients;
  #user: keyof Clients = 'demo';
  readonly #service: CloudClient;
  #repairs: Promise<void>[] = [];

  private constructor(
    stack: Stack,
    control: CloudsimControl,
    clients: Clients,
    clouds: { service: CloudClient; cloud: CloudClient },
    found: { baseline: Inventory; imageId: string; flavorId: string },
  ) {
    this.stack = stack;
    this.control = control;
    this.#clients = clients;
    this.#service = clouds.service;
    this.cloud = clouds.cloud;
    this.due = new DueTimes(stack.redisUrl, KEY_PREFIX);
    this.baseline = found.baseline;
    this.imageId = found.imageId;
    this.flavorId = found.flavorId;
  }

  static async start({ delayScale = FAST_DELAY_SCALE, lateCallSeconds = 2 }: RigOptions = {}): Promise<Rig> {
    const stack = await startTestStack({
      ownRedis: true,
      apis: 2,
      workers: 3,
      cloudsimEnv: { CLOUDSIM_DELAY_SCALE: String(delayScale) },
      config: {
        redis: { key_prefix: KEY_PREFIX },
        jobs: {
          lock_seconds: 3,
          poll_interval_ms: 50,
          sweep_seconds: 2,
          late_call_seconds: lateCallSeconds,
        },
        time_limits: { upstream_request_seconds: UPSTREAM_SECONDS, undo_seconds: 30 },
        rate_limits: { login: 0, login_failures: 0, instance_create: 0, build: 0, callback: 0 },
        http: { drain_timeout_seconds: 10 },
        libraries: Object.values(libraries).map((library) => ({
          ...library,
          name: library.id,
          packages: ['numpy'],
          depends_on: [],
        })),
      },
    });
    try {
      return await Rig.#prepare(stack);
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  static async #prepare(stack: Stack): Promise<Rig> {
    const control = new CloudsimControl(stack.cloudsim?.url ?? '');
    const admin = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
    await preparePrebuiltShare(admin, {
      library: libraries.native,
      protocol: 'CEPHFS',
      shareType: 'cephfs',
    });
    await preparePrebuiltShare(admin, { library: libraries.nfs, protocol: 'NFS', shareType: 'default' });
    const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const clients = { demo: gateway, admin: await GatewayClient.logIn(stack.url, testLogin('admin')) };
    const service = await CloudClient.logIn(stack.identityUrl ?? '', serviceLogin);
    const cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
    const idOf = async (path: string, name: string) =>
      (await gateway.read<{ id: string; name: string }[]>(path)).find((item) => item.name === name)?.id ?? '';
    return new Rig(
      stack,
      control,
      clients,
      { service, cloud },
      {
        baseline: await control.inventory(),
        imageId: await idOf('/api/images', 'debian-12'),
        flavorId: await idOf('/api/flavors', 'm1.tiny'),
      },
    );
  }

  /** Selects the user of later requests. */
  useUser(user: keyof Clients): void {
    this.#user = user;
  }

  /** A client of the first running api, or of the api with the index. */
  gateway(index = this.stack.apis.findIndex((api) => api.isRunning())): GatewayClient {
    return this.#clients[this.#user].at(this.stack.apis[index]?.url ?? '');
  }

  /** The job of a request, once a worker has logged it. The request need not have a response. */
  findJobId(requestId: string): Promise<string> {
    return eventually(async () => {
      const lines = this.stack.workers.flatMap((worker) => worker.logs());
      const line = lines.find((text) => text.includes(requestId) && text.includes('"job_id"'));
      return line === undefined ? undefined : valueIn(line, 'job_id');
    });
  }

  /** The state of a job, from any api. */
  readJob(jobId: string): Promise<JobState> {
    return readJob(() => this.gateway(), jobId);
  }

  /** The worker with the latest log line about the job. */
  workerOf(jobId: string): Promise<ServerProcess> {
    return eventually(async () => {
      const logged = this.stack.workers.flatMap((worker) => {
        const line = worker.logs().findLast((text) => text.includes(jobId));
        return line === undefined ? [] : [{ worker, time: valueIn(line, 'time') }];
      });
      return logged.sort((a, b) => b.time.localeCompare(a.time))[0]?.worker;
    });
  }

  /** The latest log lines about a job, from all processes. */
  logLinesOf(jobId: string, count = 12): string[] {
    const lines = [...this.stack.workers, ...this.stack.apis].flatMap((process) =>
      process.logs().flatMap((line) => (line.includes(jobId) ? [`${process.name} ${line}`] : [])),
    );
    return lines.sort((a, b) => valueIn(a, 'time').localeCompare(valueIn(b, 'time'))).slice(-count);
  }

  /** Waits until the server is healthy, and so has handled its backlog. */
  async waitUntilHealthy(server: ServerProcess): Promise<void> {
    await eventually(async () => ((await fetch(`${server.url}/health`)).ok ? true : undefined));
  }

  /** Kills the process, and restarts it in the background. */
  async killAndRestart(child: Child, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await child.kill(signal);
    this.#repairs.push(child.restart());
  }

  /** Restarts all processes, clears faults and deletes all resources. Returns what could not be deleted. */
  async restore(): Promise<string[]> {
    await this.control.clear();
    await Promise.all(this.#repairs.splice(0));
    this.useUser('demo');
    for (const id of (await this.control.inventory()).get('shares') ?? []) {
      if (!this.baseline.get('shares')?.has(id)) await this.#removeBuilt(id);
    }
    for (const id of (await this.control.inventory()).get('servers') ?? []) {
      // A Redis that was killed may just be coming back.
      await eventually(async () => {
        const { status } = await this.gateway().request('DELETE', `/api/instances/${id}`);
        return [204, 404].includes(status) ? true : undefined;
      });
    }
    await this.#removeAutoBackups();
    await this.#removeKept();
    await this.control.clearCalls();
    return this.differencesFrom(this.baseline);
  }

  /** Deletes all auto backups, and then all backups, which outlive them. */
  async #removeAutoBackups(): Promise<void> {
    await eventually(async () => {
      const configurations = await this.gateway().request<AutoBackup[]>(
        'POST',
        '/api/volumes/backups/auto-backup/configs',
      );
      if (configurations.status !== 200) return undefined;
      for (const { volume_id } of configurations.body) {
        await this.gateway().request('DELETE', autoBackupPath(volume_id));
      }
      const { backups } = await this.cloud.call<{ backups: { id: string }[] }>('volumev3', 'GET', '/backups');
      for (const { id } of backups) {
        await this.cloud.call('volumev3', 'DELETE', `/backups/${id}`, undefined, [400, 404]);
      }
      return backups.length === 0 && configurations.body.length === 0 ? true : undefined;
    }, CLEANUP_TIMEOUT_MS).catch(() => {});
  }

  /** Deletes volumes that outlive their instance: kept volumes, and volumes prepared by a kind. */
  async #removeKept(): Promise<void> {
    await eventually(async () => {
      const { volumes } = await this.cloud.call<{ volumes: { id: string; metadata: object }[] }>(
        'volumev3',
        'GET',
        '/volumes/detail',
      );
      const kept = volumes.filter(({ id, metadata }) => {
        const isKept = 'gateway_keep_volume' in metadata || !('gateway_job_id' in metadata);
        return isKept && !this.baseline.get('volumes')?.has(id);
      });
      for (const { id } of kept) {
        await this.cloud.call('volumev3', 'DELETE', `/volumes/${id}`, undefined, [400, 404]);
      }
      return kept.length === 0 ? true : undefined;
    }, CLEANUP_TIMEOUT_MS).catch(() => {});
  }

  /** Deletes a built share. The share of an instance is deleted with the instance. */
  async #removeBuilt(shareId: string): Promise<void> {
    await this.#service.call('sharev2', 'DELETE', `/shares/${shareId}`, undefined, [403, 404]);
  }

  /** Unexpected differences from the inventory; waits for them to disappear. */
  async differencesFrom(before: Inventory, expected: Record<string, Change> = {}): Promise<string[]> {
    let left: string[] = [];
    await eventually(async () => {
      left = differences(before, await this.control.inventory(), expected);
      return left.length === 0 ? true : undefined;
    }, CLEANUP_TIMEOUT_MS).catch(() => {});
    return left;
  }

  async stop(): Promise<void> {
    await this.due.close();
    await this.stack.stop();
  }
}

/** The problem text for a job that did not end in time. */
export function describeUnfinishedJob(rig: Rig, jobId: string, lastSeen: string): string {
  const lines = rig.logLinesOf(jobId).map((line) => `\n      ${line}`);
  return `job ${jobId} never ended, last seen at ${lastSeen}${lines.join('')}`;
}

/** The state of a job, from the api that `reach` returns. */
export function readJob(reach: () => GatewayClient, jobId: string): Promise<JobState> {
  return eventually(() => reach().read<JobState>(`/api/jobs/${jobId}`));
}

/** A string field of a JSON log line. */
function valueIn(line: string, field: string): string {
  return new RegExp(`"${field}":"([^"]+)"`).exec(line)?.[1] ?? '';
}
