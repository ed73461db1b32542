import assert from 'node:assert/strict';
import { jobKeys } from '@gateway/jobs';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { queryRedis } from '../support/redis/query-redis.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

interface Job {
  id: string;
  type: string;
  status: string;
  state: string;
  step: string;
  progress: number;
  message: string;
  error: string | null;
}

const KEY_PREFIX = 'long-rollback:';
const CAUSE = 'The compute service is out of hosts.';

describe('a night in which a rollback takes long', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({
      own: true,
      ownRedis: true,
      config: { redis: { key_prefix: KEY_PREFIX } },
    });
  });
  after(() => simulated?.stop());

  it('says everywhere that the job is being undone, and why', async () => {
    const { control, gateway, request, stack } = simulated;
    await control.set({ keepsDeletedVolumes: true });
    await control.addFault({
      operation: 'servers.create',
      status: 400,
      body: { badRequest: { code: 400, message: CAUSE } },
    });
    const stream = await gateway.createInstance(request);
    const jobId = stream.headers.get('x-job-id') ?? '';

    const undone = await eventually(async () => {
      const job = await gateway.read<Job>(`/api/jobs/${jobId}`);
      return job.state === 'rolling_back' ? job : undefined;
    }, 60_000);
    const admin = await GatewayClient.logIn(stack.url, testLogin('admin'));
    const listed = await admin.read<{ items: Job[] }>('/api/admin/jobs?state=rolling_back');

    assert.deepEqual([undone.status, undone.step], ['running', 'ROLLING_BACK']);
    assert.match(undone.error ?? '', new RegExp(CAUSE));
    assert.equal(undone.message, `What the job has done is being undone. ${undone.error}`);
    assert.deepEqual(
      listed.items.map(({ id, step }) => [id, step]),
      [[jobId, 'ROLLING_BACK']],
    );
    await control.set({ keepsDeletedVolumes: false });
    const events = (await stream.rest()).map(({ data }) => JSON.parse(data) as Job);
    assert.deepEqual(
      events.slice(-2).map(({ step, progress, message }) => [step, progress, message]),
      [
        ['SERVER_CREATING', 95, undone.message],
        ['FAILED', -1, undone.error],
      ],
    );
  });

  it('lists jobs while one of a newer release waits', async () => {
    const { gateway, request, stack } = simulated;
    await stack.workers[0]?.stop();
    const stream = await gateway.createInstance(request);
    stream.close();
    const jobId = stream.headers.get('x-job-id') ?? '';
    await queryRedis(stack.redis?.port ?? 0, (redis) =>
      redis.hset(KEY_PREFIX + jobKeys.record(jobId), 'type', 'instance.of-tomorrow'),
    );

    const { items } = await gateway.read<{ items: Job[] }>('/api/jobs');

    assert.deepEqual(
      [items[0]?.id, items[0]?.type, items[0]?.status],
      [jobId, 'instance.of-tomorrow', 'queued'],
    );
  });
});
