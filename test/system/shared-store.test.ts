import assert from 'node:assert/strict';
import { openRedis } from '@gateway/store';
import { type RunningRedis, startRedis } from '../../scripts/redis.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

/** The seeded clouds have the same ids of projects and users, so only the prefix separates the gateways. */
describe('two gateways of two regions with one Redis', function () {
  this.timeout(300_000);
  let redis: RunningRedis;
  let north: SimulatedStack;
  let south: SimulatedStack;
  const started: SimulatedStack[] = [];

  before(async () => {
    redis = await startRedis();
    north = await start('north', 'RegionOne');
    south = await start('south', 'RegionTwo');
  });
  after(async () => {
    await Promise.all(started.map((suite) => suite.stop()));
    await redis?.stop();
  });

  async function start(name: string, region: string): Promise<SimulatedStack> {
    const suite = await SimulatedStack.start({
      own: true,
      redisUrl: redis.url,
      env: { GATEWAY_NAME: name, OS_REGION_NAME: region },
      cloudsimEnv: { CLOUDSIM_REGION: region, CLOUDSIM_DELAY_SCALE: '0.05' },
      config: { redis: { key_prefix: `${name}:` } },
    });
    started.push(suite);
    return suite;
  }

  /** Creates an instance, and returns the id of its job. */
  async function create({ gateway, request }: SimulatedStack, name: string): Promise<string> {
    const known = await jobsOf(gateway);
    const messages = await gateway.messagesOfCreation({ ...request, name });
    assert.equal(messages.at(-1)?.step, 'COMPLETED', messages.at(-1)?.error ?? '');
    const [job, ...others] = (await jobsOf(gateway)).filter((id) => !known.includes(id));
    assert.deepEqual(others, []);
    return job ?? assert.fail('no job');
  }

  const jobsOf = async (gateway: GatewayClient) =>
    (await gateway.read<{ items: { id: string }[] }>('/api/jobs')).items.map(({ id }) => id);
  const namesOf = async (gateway: GatewayClient) =>
    (await gateway.read<{ name: string }[]>('/api/instances?refresh=true')).map(({ name }) => name);
  const statusOf = async (gateway: GatewayClient, path: string) =>
    (await gateway.request('GET', path)).status;

  it('show nothing of each other', async () => {
    const [northern, southern] = await Promise.all([create(north, 'in-north'), create(south, 'in-south')]);

    for (const [{ gateway }, own, others, name] of [
      [north, northern, southern, 'in-north'],
      [south, southern, northern, 'in-south'],
    ] as const) {
      assert.deepEqual(await jobsOf(gateway), [own]);
      assert.deepEqual(await namesOf(gateway), [name]);
      for (const path of [`/api/jobs/${others}`, `/api/jobs/${others}/events`]) {
        assert.equal(await statusOf(gateway, path), 404, path);
      }
      assert.equal((await gateway.read<unknown[]>('/api/auth/sessions')).length, 1);
    }
  });

  it('count their own workers and audit their own administrators', async () => {
    const admin = await GatewayClient.logIn(north.stack.url, testLogin('admin'));
    const other = await GatewayClient.logIn(south.stack.url, testLogin('admin'));
    const path = `/api/admin/gpu-quotas/${north.gateway.projectId}`;
    assert.equal((await admin.request('PUT', path, { a100: 1 })).status, 200);

    await eventually(async () => {
      const { items } = await admin.read<{ items: unknown[] }>('/api/admin/audit');
      return items.length === 1;
    });

    assert.deepEqual((await other.read<{ items: unknown[] }>('/api/admin/audit')).items, []);
    for (const { stack } of started) {
      const metrics = await (await fetch(`${stack.url}/api/metrics`)).text();
      assert.match(metrics, /^gateway_queue_workers\{queue="provisioning",[^}]*\} 1$/m);
    }
  });

  it('write no key and listen to no channel without their prefixes', async () => {
    const { store, close } = openRedis({ url: redis.url, cacheUrl: redis.url, keyPrefix: '' }, 'wait');
    try {
      const keys = await store.keys('*');
      const channels = (await store.pubsub('CHANNELS')) as string[];

      assert.ok(keys.length > 50, `${keys.length}`);
      assert.equal(channels.length, 2);
      assert.deepEqual(
        [...keys, ...channels].filter((name) => !/^\{?(?:north|south):/.test(name)),
        [],
      );
    } finally {
      await close();
    }
  });

  it('refuse a process of another region with their prefix', async () => {
    const foreign = { OS_REGION_NAME: 'RegionTwo' };
    const { stack } = north;

    await assert.rejects(
      stack.addApi(foreign),
      /exit code 78[\s\S]*the key prefix .*north:.* is that of the gateway/,
    );
    // A worker answers health checks before it has reached Redis.
    const worker = await stack.addWorker(foreign).catch((error: Error) => error);
    const reason = worker instanceof Error ? worker.message : await worker.exitedUnexpectedly;

    assert.match(reason, /exit code 78/);
  });

  it('work without each other', async () => {
    await Promise.all([...south.stack.apis, ...south.stack.workers].map((child) => child.kill('SIGKILL')));

    await create(north, 'alone');

    assert.deepEqual((await namesOf(north.gateway)).sort(), ['alone', 'in-north']);
  });
});
