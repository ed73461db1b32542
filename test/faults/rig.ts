import { randomUUID } from 'node:crypto';
import type { Child } from '../../scripts/child-process.ts';
import type { ServerProcess } from '../../scripts/server-process.ts';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudsimControl, type Inventory } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import type { EventStream } from '../support/clients/sse-client.ts';
import { ReportGate } from '../support/doubles/report-gate.ts';
import { eventually } from '../support/eventually.ts';
import { preparePrebuiltShare } from '../support/projects/prepared-cloud.ts';
import type { StoreCopy } from '../support/redis/store-copy.ts';
import { serviceLogin, type TestLogin, testLogin } from '../support/stacks/test-stack.ts';
import { DueTimes } from '../support/subjects/auto-backups.ts';
import { Snapshots } from '../support/subjects/snapshots.ts';
import { removeCreated } from './clean-up.ts';
import { type Change, differences, keptRights } from './inventory-differences.ts';
import { KEY_PREFIX, libraries, type RigOptions, startRigStack } from './rig-stack.ts';
import { RigStore } from './rig-store.ts';

/** A running job, and the stream of the request that started it, if any. */
export interface StartedJob {
  jobId: string;
  stream: EventStream | null;
}

export interface JobState {
  status: 'completed' | 'failed' | 'cancelled';
  leftovers: { type: string; id: string; reason: string }[];
}

type Clients = Record<'demo' | 'admin', GatewayClient>;

const CLEANUP_TIMEOUT_MS = 20_000;

/** The whole system, with methods to inject faults and restore it case by case. */
export class Rig {
  readonly stack: Stack;
  readonly control: CloudsimControl;
  readonly baseline: Inventory;
  readonly imageId: string;
  readonly flavorId: string;
  /** Makes auto backups due. */
  readonly due: DueTimes;
  readonly stored: RigStore;
  /** The reports of machines on their way to the api. */
  readonly reports: ReportGate;
  /** Starts snapshots of the time series. */
  readonly snapshots: Snapshots;
  readonly #clients: Clients;
  readonly #logins: Record<keyof Clients, TestLogin> = { demo: testLogin('demo'), admin: testLogin('admin') };
  #user: keyof Clients = 'demo';
  #cloud: CloudClient;
  /** The cloud client of the gateway's own user. */
  readonly service: CloudClient;
  #repairs: Promise<void>[] = [];

  private constructor(
    stack: Stack,
    control: CloudsimControl,
    reports: ReportGate,
    clients: Clients,
    clouds: { service: CloudClient; cloud: CloudClient },
    found: { baseline: Inventory; imageId: string; flavorId: string },
  ) {
    this.stack = stack;
    this.control = control;
    this.reports = reports;
    reports.passTo(() => this.gateway().url);
    this.#clients = clients;
    this.service = clouds.service;
    this.#cloud = clouds.cloud;
    this.stored = new RigStore(stack.redisUrl);
    this.due = new DueTimes(stack.redisUrl, KEY_PREFIX);
    this.snapshots = new Snapshots(stack.redisUrl, KEY_PREFIX, () => clients.admin.at(this.gateway().url));
    this.baseline = found.baseline;
    this.imageId = found.imageId;
    this.flavorId = found.flavorId;
  }

  static async start(options: RigOptions = {}): Promise<Rig> {
    const reports = await ReportGate.start();
    try {
      const stack = await startRigStack(reports.url, options);
      return await Rig.#prepare(stack, reports).catch(async (error) => {
        await stack.stop();
        throw error;
      });
    } catch (error) {
      await reports.stop();
      throw error;
    }
  }

  static async #prepare(stack: Stack, reports: ReportGate): Promise<Rig> {
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
      reports,
      clients,
      { service, cloud },
      {
        baseline: new Map([...(await control.inventory()), ...(await control.rights())]),
        imageId: await idOf('/api/images', 'debian-12'),
        flavorId: await idOf('/api/flavors', 'm1.tiny'),
      },
    );
  }

  /** Selects the user of later requests. */
  useUser(user: keyof Clients): void {
    this.#user = user;
  }

  /** The cloud client of the demo user. */
  get cloud(): CloudClient {
    return this.#cloud;
  }

  /** Ends the session of the selected user, as a log-out in a dashboard does, and logs the user in again. */
  async logOut(): Promise<void> {
    const { status, text } = await this.gateway().request('POST', '/api/auth/logout');
    if (status !== 204) throw new Error(`The log-out was answered ${status}: ${text}`);
    await this.#logIn();
  }

  /** Changes the password of the selected user through the gateway, and logs the user in again. */
  async changePassword(): Promise<void> {
    const { password, ...login } = this.#logins[this.#user];
    const changed = `changed-${randomUUID()}`;
    const { status, text } = await this.gateway().request('PUT', '/api/profile/password', {
      current_password: password,
      new_password: changed,
    });
    if (status !== 200) throw new Error(`The change of the password was answered ${status}: ${text}`);
    this.#logins[this.#user] = { ...login, password: changed };
    await this.#logIn();
    if (this.#user === 'demo') {
      this.#cloud = await CloudClient.logIn(this.stack.identityUrl ?? '', this.#logins.demo);
    }
  }

  /** Until the identity service accepts the token: those of the second of a revocation are revoked too. */
  async #logIn(): Promise<void> {
    this.#clients[this.#user] = await eventually(async () => {
      const client = await GatewayClient.logIn(this.gateway().url, this.#logins[this.#user]);
      await client.read('/api/profile');
      return client;
    });
  }

  /** A client of the first running api, or of the api with the index. */
  gateway(index = this.stack.apis.findIndex((api) => api.isRunning())): GatewayClient {
    return this.#clients[this.#user].at(this.stack.apis[index]?.url ?? '');
  }

  /**
   * Starts a job by a request to the first api. The response is not awaited, because a fault can prevent it.
   * @throws with the response if no worker logs a job of the request
   */
  async startJob(requestId: string, method: string, path: string, body?: object): Promise<StartedJob> {
    const answer = this.gateway(0)
      .request(method, path, body, requestId)
      .then(({ status, text }) => `${status} ${text}`, String);
    try {
      return { jobId: await this.findJobId(requestId), stream: null };
    } catch (cause) {
      throw new Error(`The request started no job: ${await answer}`, { cause });
    }
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
    await eventually(async () => (await fetch(`${server.url}/health`)).ok);
  }

  /** Kills the process, and restarts it in the background. */
  async killAndRestart(child: Child, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await child.kill(signal);
    this.#repairs.push(child.restart());
  }

  /** Kills all processes, replaces what the store has by an older copy, and starts the processes again. */
  async setBack(copy: StoreCopy): Promise<void> {
    const { apis, redis, workers } = this.stack;
    const processes = [...workers, ...apis];
    await Promise.all(processes.map((one) => one.kill('SIGKILL')));
    if (redis === null) throw new Error('There is no Redis to set back.');
    await copy.putBack(redis);
    await Promise.all(processes.map((one) => one.restart()));
  }

  /** Restarts all processes, clears faults and deletes all resources. Returns what could not be deleted. */
  async restore(): Promise<string[]> {
    await this.control.clear();
    await this.control.set({
      guest: { clusterOutcome: 'succeeds', failedPlugins: [], failedUpgrades: [] },
      serverZones: ['nova'],
      volumeZones: ['nova'],
    });
    this.reports.clear();
    await Promise.all(this.#repairs.splice(0));
    this.useUser('demo');
    await removeCreated(this);
    await this.control.clearCalls();
    return this.differencesFrom(this.baseline);
  }

  /** All that there is, with what jobs work with. */
  async inventory(): Promise<Inventory> {
    return new Map([...(await this.control.inventory()), ...(await this.control.rights())]);
  }

  /** Unexpected differences from the inventory; waits for them to disappear. */
  async differencesFrom(
    before: Inventory,
    expected: Record<string, Change> = {},
    timeoutMs = CLEANUP_TIMEOUT_MS,
  ): Promise<string[]> {
    let left: string[] = [];
    await eventually(async () => {
      const rights = await this.control.rights();
      const kept = keptRights(before, rights, await this.stored.sweptJobs());
      left = differences(before, new Map([...(await this.control.inventory()), ...kept]), expected);
      return left.length === 0;
    }, timeoutMs).catch(() => {});
    return left;
  }

  async stop(): Promise<void> {
    await this.due.close();
    await this.snapshots.close();
    this.stored.close();
    await this.stack.stop();
    await this.reports.stop();
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
