import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { openStream } from '../support/clients/sse-client.ts';
import { eventually } from '../support/eventually.ts';
import { ControlNode } from '../support/lite/control-node.ts';
import { LiteProject } from '../support/lite/lite-project.ts';
import { type Interruptions, randomFrom } from '../support/load/at-intervals.ts';
import { killAtIntervals } from '../support/load/kill-at-intervals.ts';
import { isRealCloud } from '../support/stacks/test-stack.ts';

interface Job {
  id: string;
  type: string;
  status: string;
  step: string;
  error: string | null;
  resource_id: string | null;
  leftovers: unknown[];
}

/** A creation, and the servers that it makes. */
interface Creation {
  jobId: string;
  servers: string[];
}

/** More often, a slow machine would hardly do anything else than start processes. */
const KILL_EVERY_MS = isRealCloud() ? 5_000 : 4_000;
/** A busy real cloud takes minutes for a cluster, and each kill costs the time of a lock. */
const END_MS = 600_000;
/** How long a job that ended amid a call keeps its credentials, to remove what the call creates late. */
const RECHECK_SECONDS = isRealCloud() ? 60 : 10;
const ENDED = ['completed', 'failed', 'cancelled'];

describe('clusters and instances whose processes are killed, by any cloud', function () {
  this.timeout(2 * END_MS);
  let project: LiteProject;
  let killing: Interruptions | undefined;

  before(async () => {
    project = await LiteProject.start({
      apis: 2,
      workers: 3,
      config: {
        // A killed worker is detected when its lock on a job expires; the sweep removes the credentials of
        // requests that ended with their api.
        jobs: { lock_seconds: 3, sweep_seconds: 2, recheck_seconds: RECHECK_SECONDS },
        lite: { plugins: { cloud_controller_enabled: true, block_csi_enabled: true }, floating_ip: true },
      },
    });
    const seed = Date.now() % 1_000_000;
    console.log(`      a process is killed every ${KILL_EVERY_MS} ms (seed ${seed})`);
    killing = killAtIntervals(project.stack, KILL_EVERY_MS, randomFrom(seed));
  });

  after(async () => {
    await killing?.stop();
    await project?.stop();
  });

  it('are complete or leave nothing, and are gone when deleted', async () => {
    const creations = await Promise.all([
      createCluster(1),
      createCluster(2),
      ...Array.from({ length: 4 }, () => createInstance()),
    ]);
    const created = await Promise.all(creations.map(({ jobId }) => endOf(jobId)));

    assert.deepEqual(await servers(), serversOf(creations, created));

    await Promise.all(created.filter(({ status }) => status === 'completed').map(remove));
    const ended = await allEnded();
    await killing?.stop();
    killing = undefined;

    assert.deepEqual(
      ended.filter(({ leftovers }) => leftovers.length > 0),
      [],
    );
    await project.hasOnly();
    await eventually(async () => {
      assert.deepEqual(await project.credentials(), []);
      return true;
    }, END_MS);
  });

  /** A client of a running api. */
  function reach(): GatewayClient {
    const { apis } = project.stack;
    return project.mine.at((apis.find((api) => api.isRunning()) ?? apis[0])?.url ?? '');
  }

  /** Starts a creation and returns its job. The request is repeated while its api is killed. */
  async function start(path: string, body: object): Promise<string> {
    const key = randomUUID();
    const stream = await eventually(() => {
      const { headers, url } = { headers: reach().headers(), url: reach().url };
      const request = { method: 'POST', headers: { ...headers, 'idempotency-key': key }, body };
      return openStream(`${url}${path}`, request);
    }, END_MS);
    stream.close();
    return String(stream.headers.get('x-job-id'));
  }

  async function createInstance(): Promise<Creation> {
    const name = `e2e-${randomUUID().slice(0, 8)}`;
    const request = await eventually(() => reach().smallInstanceRequest(name), END_MS);
    const body = { ...request, network_id: project.networkId };
    return { jobId: await start('/api/instances/async', body), servers: [name] };
  }

  /** The test plays the control node, which repeats its report until an api takes it. */
  async function createCluster(agents: number): Promise<Creation> {
    const name = `e2e-${randomUUID().slice(0, 8)}`;
    const body = { name, network_id: project.networkId, agent_count: agents };
    const jobId = await start('/api/lite/clusters/async', body);
    const state = await eventually(async () => {
      const job = await readJob(jobId);
      return job.step === 'waiting_callback' || ENDED.includes(job.status) ? job : undefined;
    }, END_MS);
    if (!ENDED.includes(state.status)) {
      const node = await ControlNode.of(project.admin, await project.serverId(`${name}-server`));
      await eventually(async () => (await node.succeeds()) === 200, END_MS);
    }
    const agentNames = Array.from({ length: agents }, (_, index) => `${name}-agent-${index + 1}`);
    return { jobId, servers: [`${name}-server`, ...agentNames] };
  }

  function readJob(jobId: string): Promise<Job> {
    return reach().read<Job>(`/api/jobs/${jobId}`);
  }

  function endOf(jobId: string): Promise<Job> {
    return eventually(async () => {
      const job = await readJob(jobId);
      return ENDED.includes(job.status) ? job : undefined;
    }, END_MS);
  }

  async function remove({ type, resource_id }: Job): Promise<void> {
    const path = type === 'lite.create' ? '/api/lite/clusters' : '/api/instances';
    await eventually(async () => {
      const { status } = await reach().request('DELETE', `${path}/${resource_id}`);
      return [204, 404].includes(status);
    }, END_MS);
  }

  /** All jobs of the project, once each has ended. */
  function allEnded(): Promise<Job[]> {
    return eventually(async () => {
      const { items } = await reach().read<{ items: Job[] }>('/api/jobs');
      return items.every(({ status }) => ENDED.includes(status)) ? items : undefined;
    }, END_MS);
  }

  /** The names of the servers that the completed ones of these creations have made. */
  function serversOf(creations: readonly Creation[], jobs: readonly Job[]): string[] {
    return creations.flatMap((one, index) => (jobs[index]?.status === 'completed' ? one.servers : [])).sort();
  }

  async function servers(): Promise<string[]> {
    const { servers: found } = await project.cloud.call<{ servers: { name: string }[] }>(
      'compute',
      'GET',
      '/servers',
    );
    return found.map(({ name }) => name).sort();
  }
});
