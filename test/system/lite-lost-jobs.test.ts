import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { newRequestId } from '@gateway/core';
import { Redis } from 'ioredis';
import { openStream } from '../support/clients/sse-client.ts';
import { eventually } from '../support/eventually.ts';
import { deleteCluster, type LiteCluster, readCluster, readClusters } from '../support/lite/clusters.ts';
import { createWaiting } from '../support/lite/waiting-clusters.ts';
import { freshKeyPrefix } from '../support/redis/test-redis.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

const REACHED_WITHIN_MS = 20_000;
/** A record without a job counts as lost when it is older than a job on its way into the queue can be. */
const OLDER_MS = 10 * 60_000;

describe('a lite cluster whose job is lost', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let redis: Redis;

  before(async () => {
    const keyPrefix = freshKeyPrefix('lost');
    simulated = await SimulatedStack.start({
      apis: 2,
      config: {
        redis: { key_prefix: keyPrefix },
        jobs: { sweep_seconds: 1 },
        lite: { server_volume_size_gb: 1, plugins: { block_csi_enabled: true } },
      },
    });
    redis = new Redis(simulated.stack.redisUrl, { keyPrefix });
    await simulated.control.set({ guest: { clusterOutcome: 'silent' } });
  });

  after(async () => {
    redis?.disconnect();
    await simulated?.stop();
  });

  async function makeOlder(id: string): Promise<void> {
    const key = `{lite}:cluster:${id}`;
    for (const field of ['createdAt', 'updatedAt']) {
      const at = Number(await redis.hget(key, field));
      await redis.hset(key, field, String(at - OLDER_MS));
    }
  }

  async function hasNothingNew(): Promise<void> {
    await eventually(async () => {
      assert.deepEqual(await simulated.control.inventory(), simulated.baseline);
      return true;
    });
  }

  /** Neither delegations nor credentials that can create others. */
  async function hasNoRights(): Promise<void> {
    await eventually(async () => {
      for (const ids of (await simulated.control.rights()).values()) assert.deepEqual([...ids], []);
      return true;
    });
  }

  it('because its api dies before queueing disappears and releases its name', async () => {
    const { control, stack, gateway } = simulated;
    const [api] = stack.apis;
    const other = gateway.at(stack.apis[1]?.url ?? '');
    const name = `e2e-${randomUUID().slice(0, 8)}`;
    const requestId = newRequestId();
    const hold = await control.hold('after', { requestId, operation: 'trusts.create' });
    const request = (through = gateway) =>
      openStream(`${through.url}/api/lite/clusters/async`, {
        method: 'POST',
        headers: through.headers(requestId),
        body: { name },
      });
    const broken = request().catch((error: unknown) => error);
    assert.equal(await hold.waitUntilReached(REACHED_WITHIN_MS), 'held');

    await api?.kill('SIGKILL');

    assert.ok((await broken) instanceof Error);
    await control.clear();
    const cluster = (await readClusters(other)).find((one) => one.name === name) as LiteCluster;
    assert.equal(cluster.status, 'CREATING');
    await assert.rejects(request(other), /409/);
    await hasNoRights();
    await makeOlder(cluster.id);
    await eventually(async () => {
      const { status } = await other.request('GET', `/api/lite/clusters/${cluster.id}`);
      return status === 404;
    });
    await hasNothingNew();
    const again = await request(other);
    assert.equal(again.status, 200);
    const jobId = again.headers.get('x-job-id');
    await other.request('POST', `/api/jobs/${jobId}/cancel`);
    await again.rest();
    await api?.restart();
    await hasNothingNew();
  });

  it('because its credential is created without a response leaves no credential', async () => {
    const { control, gateway } = simulated;
    const operation = 'application_credentials.create';
    await control.addFault({ service: 'identity', operation, drop: true, after: true });

    const answer = await gateway.request('POST', '/api/lite/clusters/async', { name: 'e2e-no-response' });

    assert.equal(answer.status, 503, answer.text);
    const rights = (await control.rights()).get('unrestricted_credentials');
    assert.equal(rights?.size, 1, 'the credential exists');
    await hasNothingNew();
    await hasNoRights();
  });

  it('because the store loses it becomes ERROR, and can be deleted', async () => {
    const { gateway } = simulated;
    const [cluster] = await createWaiting(gateway, 1);
    const { id = '', jobId = '' } = cluster ?? {};
    const record = () => redis.hkeys(`{lite}:cluster:${id}`);
    assert.ok((await record()).includes('secret:credentialSecret'));
    // A worker that still runs the job would end it with an error of its own.
    await eventually(async () => (await redis.zcard('{jobs}:running:provisioning')) === 0);

    await redis.del(`{jobs}:job:${jobId}`, `{jobs}:log:${jobId}`, `{jobs}:journal:${jobId}`);
    await redis.zrem('{jobs}:open', jobId);
    await makeOlder(id);

    await eventually(async () => {
      const { status, status_reason } = await readCluster(gateway, id);
      if (status !== 'ERROR') return undefined;
      assert.match(status_reason ?? '', /creation was lost/);
      return true;
    });
    await eventually(async () => {
      assert.deepEqual(
        (await record()).filter((field) => field.startsWith('secret:')),
        [],
      );
      return true;
    });
    assert.equal((await deleteCluster(gateway, id)).status, 204);
    await hasNothingNew();
  });
});
