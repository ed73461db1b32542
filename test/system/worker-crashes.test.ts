import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient, type ResourceIds } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { JobWatcher } from '../support/clients/job-watcher.ts';
import { eventually } from '../support/eventually.ts';
import { type Prepared, preparePrebuiltShare, testLibraries } from '../support/projects/prepared-cloud.ts';
import { isRealCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

const KILLS = 3;
/** The minimum duration of a creation, so that the kills can hit any part of it. */
const CREATION_MS = isRealCloud() ? 6_000 : 2_400;
const END_MS = 240_000;

describe('a worker that is killed at three random moments of a creation', function () {
  this.timeout(300_000);
  let stack: Stack;
  let gateway: GatewayClient;
  let cloud: CloudClient;
  let admin: CloudClient;
  let share: Prepared;
  let baseline: ResourceIds;

  before(async () => {
    stack = await startTestStack({ config: { libraries: testLibraries, jobs: { lock_seconds: 3 } } });
    admin = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
    cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
    share = await preparePrebuiltShare(admin);
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    baseline = await cloud.resourceIds();
  });

  after(async () => {
    await share?.remove();
    await stack?.stop();
  });

  it('leaves exactly what was requested, and a deletion leaves nothing behind', async () => {
    const rules = await admin.accessRules(share.id);
    const stream = await gateway.createInstance({
      ...(await gateway.smallInstanceRequest('e2e-crashes')),
      libraries: ['python311'],
    });
    const jobId = stream.headers.get('x-job-id') ?? '';
    const watcher = new JobWatcher();
    const watching = watcher.followToEnd(stream, (seen) => gateway.followJob(jobId, seen), END_MS);

    const moments = await killAtRandomMoments(jobId);

    assert.ok(await watching, `the job ended (worker killed after ${moments})`);
    assert.equal(watcher.last?.step, 'COMPLETED', `${watcher.last?.error} (worker killed after ${moments})`);
    assert.deepEqual([watcher.problems, watcher.repeatedSteps()], [[], []]);
    const census = await cloud.resourceIds();
    const more = Object.entries(census).map(([kind, ids]) => [
      kind,
      ids.length - baseline[kind as keyof ResourceIds].length,
    ]);
    assert.deepEqual(Object.fromEntries(more), {
      servers: 1,
      volumes: 2,
      shares: 0,
      floatingIps: 1,
      ports: 1,
      accessRules: 0,
    });
    assert.equal((await admin.accessRules(share.id)).length, rules.length + 1);
    const [worker] = stack.workers;
    await eventually(async () => {
      const lines = worker?.logs().filter((line) => line.includes(jobId) && line.includes('Job ended')) ?? [];
      return lines.some((line) => line.includes(`"resource_id":"${watcher.last?.instance_id}"`));
    });

    const answer = await gateway.request('DELETE', `/api/instances/${watcher.last?.instance_id}`);
    assert.equal(answer.status, 204, answer.text);
    await eventually(async () => {
      assert.deepEqual(await cloud.resourceIds(), baseline);
      assert.deepEqual(await admin.accessRules(share.id), rules);
      return true;
    });
  });

  /**
   * Kills the worker while it runs the job. Returns the delays in milliseconds, for the
   * message of a failed test.
   */
  async function killAtRandomMoments(jobId: string): Promise<string> {
    const [worker] = stack.workers;
    const runs = () =>
      worker?.logs().filter((line) => line.includes(jobId) && line.includes('Job run started')).length ?? 0;
    const moments: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await eventually(async () => runs() > kill);
      const afterMs = randomInt(CREATION_MS / KILLS);
      moments.push(afterMs);
      await pause(afterMs);
      await worker?.kill('SIGKILL');
      await worker?.restart();
    }
    return moments.map((ms) => `${ms} ms`).join(', ');
  }
});
