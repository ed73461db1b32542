import type { Child } from '../../scripts/child-process.ts';
import type { ServerProcess } from '../../scripts/server-process.ts';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/cloud-client.ts';
import { CloudsimControl, type Inventory } from '../support/cloudsim-control.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayClient } from '../support/gateway-client.ts';
import { preparePrebuiltShare } from '../support/prepared-cloud.ts';
import type { EventStream } from '../support/sse-client.ts';
import { serviceLogin, startTestStack, testLogin } from '../support/test-stack.ts';
import { differences } from './census.ts';

/** A job that runs, and the stream it was started with, where there is one. */
export interface StartedJob {
  jobId: string;
  stream: EventStream | null;
}

export interface JobState {
  status: 'completed' | 'failed' | 'cancelled';
  leftovers: { type: string; id: string; reason: string }[];
}

/** Libraries by where they come from: a share for client names, one for addresses, none. */
export const libraries = {
  /** Has no share yet. */
  unbuilt: { id: 'unbuilt', version: '1' },
  native: { id: 'native', version: '1' },
  nfs: { id: 'addressed', version: '1' },
  dynamic: { id: 'installed', version: '1' },
};

export interface RigOptions {
  /** Of the simulated cloud's own delays, 1 being a server within two seconds. */
  delayScale?: number;
  /** How late calls may be. A run that takes over from a killed one waits so long where nothing comes. */
  lateCallSeconds?: number;
}

type Askers = Record<'demo' | 'admin', GatewayClient>;

/** After which a request that is never answered counts as failed; a busy machine answers well before. */
const UPSTREAM_SECONDS = 3;
const RETURN_MS = 20_000;
/** As quick as it can be with every state still to be waited for. */
const QUICK = 0.05;

/** The whole system, to be broken and mended case by case. */
export class Rig {
  readonly stack: Stack;
  readonly control: CloudsimControl;
  readonly untouched: Inventory;
  readonly imageId: string;
  readonly flavorId: string;
  /** The cloud as the demo user sees it. */
  readonly cloud: CloudClient;
  readonly #askers: Askers;
  #asker: keyof Askers = 'demo';
  readonly #service: CloudClient;
  #repairs: Promise<void>[] = [];

  private constructor(
    stack: Stack,
    control: CloudsimControl,
    askers: Askers,
    clouds: { service: CloudClient; cloud: CloudClient },
    found: { untouched: Inventory; imageId: string; flavorId: string },
  ) {
    this.stack = stack;
    this.control = control;
    this.#askers = askers;
    this.#service = clouds.service;
    this.cloud = clouds.cloud;
    this.untouched = found.untouched;
    this.imageId = found.imageId;
    this.flavorId = found.flavorId;
  }

  static async start({ delayScale = QUICK, lateCallSeconds = 2 }: RigOptions = {}): Promise<Rig> {
    const stack = await startTestStack({
      ownRedis: true,
      apis: 2,
      workers: 3,
      cloudsimEnv: { CLOUDSIM_DELAY_SCALE: String(delayScale) },
      config: {
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
    const askers = { demo: gateway, admin: await GatewayClient.logIn(stack.url, testLogin('admin')) };
    const service = await CloudClient.logIn(stack.identityUrl ?? '', serviceLogin);
    const cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
    const idOf = async (path: string, name: string) =>
      (await gateway.read<{ id: string; name: string }[]>(path)).find((item) => item.name === name)?.id ?? '';
    return new Rig(
      stack,
      control,
      askers,
      { service, cloud },
      {
        untouched: await control.inventory(),
        imageId: await idOf('/api/images', 'debian-12'),
        flavorId: await idOf('/api/flavors', 'm1.tiny'),
      },
    );
  }

  /** Who asks from now on. */
  askAs(asker: keyof Askers): void {
    this.#asker = asker;
  }

  /** A client of the first api that runs, or of the one named. */
  gateway(index = this.stack.apis.findIndex((api) => api.isRunning())): GatewayClient {
    return this.#askers[this.#asker].at(this.stack.apis[index]?.url ?? '');
  }

  /** The job that came of a request, as soon as a worker has it; the request need not be answered. */
  jobOf(requestId: string): Promise<string> {
    return eventually(async () => {
      const lines = this.stack.workers.flatMap((worker) => worker.logs());
      const line = lines.find((text) => text.includes(requestId) && text.includes('"job_id"'));
      return line === undefined ? undefined : valueIn(line, 'job_id');
    });
  }

  /** How a job stands, from whichever api answers. */
  readJob(jobId: string): Promise<JobState> {
    return readJob(() => this.gateway(), jobId);
  }

  /** The worker that wrote the latest line about the job. */
  workerOf(jobId: string): Promise<ServerProcess> {
    return eventually(async () => {
      const told = this.stack.workers.flatMap((worker) => {
        const line = worker.logs().findLast((text) => text.includes(jobId));
        return line === undefined ? [] : [{ worker, time: valueIn(line, 'time') }];
      });
      return told.sort((a, b) => b.time.localeCompare(a.time))[0]?.worker;
    });
  }

  /** The latest that was logged of a job, by whichever process. */
  linesOf(jobId: string, count = 12): string[] {
    const lines = [...this.stack.workers, ...this.stack.apis].flatMap((process) =>
      process.logs().flatMap((line) => (line.includes(jobId) ? [`${process.name} ${line}`] : [])),
    );
    return lines.sort((a, b) => valueIn(a, 'time').localeCompare(valueIn(b, 'time'))).slice(-count);
  }

  /** It answers again, and so has done what had piled up. */
  async untilHealthy(server: ServerProcess): Promise<void> {
    await eventually(async () => ((await fetch(`${server.url}/health`)).ok ? true : undefined));
  }

  /** Kills it, and has it started again while the case goes on. */
  async killAndRestart(child: Child, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await child.kill(signal);
    this.#repairs.push(child.restart());
  }

  /** Everything runs again, nothing is held, and what was made is gone; gives what would not go. */
  async restore(): Promise<string[]> {
    await this.control.clear();
    await Promise.all(this.#repairs.splice(0));
    this.askAs('demo');
    for (const id of (await this.control.inventory()).get('shares') ?? []) {
      if (!this.untouched.get('shares')?.has(id)) await this.#removeBuilt(id);
    }
    for (const id of (await this.control.inventory()).get('servers') ?? []) {
      // A Redis that was killed may just be coming back.
      await eventually(async () => {
        const { status } = await this.gateway().request('DELETE', `/api/instances/${id}`);
        return [204, 404].includes(status) ? true : undefined;
      });
    }
    await this.#removeKept();
    await this.control.forgetCalls();
    return this.differencesTo(this.untouched);
  }

  /** Volumes that no deletion of an instance removes: those that are kept, and those that a kind has prepared. */
  async #removeKept(): Promise<void> {
    await eventually(async () => {
      const { volumes } = await this.cloud.call<{ volumes: { id: string; metadata: object }[] }>(
        'volumev3',
        'GET',
        '/volumes/detail',
      );
      const kept = volumes.filter(({ id, metadata }) => {
        const isKept = 'gateway_keep_volume' in metadata || !('gateway_job_id' in metadata);
        return isKept && !this.untouched.get('volumes')?.has(id);
      });
      for (const { id } of kept) {
        await this.cloud.call('volumev3', 'DELETE', `/volumes/${id}`, undefined, [400, 404]);
      }
      return kept.length === 0 ? true : undefined;
    }, RETURN_MS).catch(() => {});
  }

  /** Only what was built: a share of an instance goes with it. */
  async #removeBuilt(shareId: string): Promise<void> {
    await this.#service.call('sharev2', 'DELETE', `/shares/${shareId}`, undefined, [403, 404]);
  }

  /** What differs, beyond what is expected to, from that inventory once time was given for it to go away. */
  async differencesTo(before: Inventory, expected: Record<string, number> = {}): Promise<string[]> {
    let left: string[] = [];
    await eventually(async () => {
      left = differences(before, await this.control.inventory(), expected);
      return left.length === 0 ? true : undefined;
    }, RETURN_MS).catch(() => {});
    return left;
  }

  stop(): Promise<void> {
    return this.stack.stop();
  }
}

/** What is told of a job that is still going when its time is up. */
export function neverEnded(rig: Rig, jobId: string, lastSeen: string): string {
  const lines = rig.linesOf(jobId).map((line) => `\n      ${line}`);
  return `job ${jobId} never ended, last seen at ${lastSeen}${lines.join('')}`;
}

/** How a job stands, from whichever api there is at the time. */
export function readJob(reach: () => GatewayClient, jobId: string): Promise<JobState> {
  return eventually(() => reach().read<JobState>(`/api/jobs/${jobId}`));
}

/** Of a log line, which is JSON. */
function valueIn(line: string, field: string): string {
  return new RegExp(`"${field}":"([^"]+)"`).exec(line)?.[1] ?? '';
}
