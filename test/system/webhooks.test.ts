import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import type { ServerProcess } from '../../scripts/server-process.ts';
import type { Stack } from '../../scripts/stack.ts';
import { demoServiceUser } from '../../scripts/stack-environment.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { WebhookReceiver } from '../support/doubles/webhook-receiver.ts';
import { eventually } from '../support/eventually.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

const DELIVERED_MS = 150_000;
/** The receiver is on this machine. */
const webhooks = { allowed_networks: ['127.0.0.0/8'], allow_http: true };

interface Created {
  id: string;
  secret: string;
}

describe('webhooks', function () {
  this.timeout(400_000);
  let stack: Stack;
  let gateway: GatewayClient;
  let receiver: WebhookReceiver;

  async function start(options: object): Promise<void> {
    const jobs = { lock_seconds: 3, sweep_seconds: 5 };
    stack = await startTestStack({ ...simulatedCloud, own: true, config: { jobs, webhooks }, ...options });
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    receiver = await new WebhookReceiver().start();
  }

  afterEach(async () => {
    await receiver?.close();
    await stack?.stop();
  });

  async function create(path = '/api/webhooks', client = gateway): Promise<Created> {
    const body = { url: `http://127.0.0.1:${receiver.port}/` };
    const answer = await client.request<Created>('POST', path, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  }

  /** Starts the creation of a volume; repeated until the gateway accepts it. Returns the job. */
  async function startVolume(size_gb = 1): Promise<string> {
    const requestId = `req-${randomUUID()}`;
    return eventually(async () => {
      const stream = await gateway.startJob('/api/volumes/async', { name: 'hooked', size_gb }, requestId);
      return stream.headers.get('x-job-id') ?? undefined;
    });
  }

  const stateOf = async (job: string) => (await gateway.read<{ state: string }>(`/api/jobs/${job}`)).state;
  const arrives = (...ids: string[]) =>
    eventually(async () => {
      const missing = ids.filter((id) => !receiver.ids.includes(id));
      assert.deepEqual(missing, []);
      return true;
    }, DELIVERED_MS);

  it('arrive once or more, signed, through kills of all processes and receivers', async () => {
    await start({ apis: 2, workers: 2, ownRedis: true });
    const { id, secret } = await create();
    const jobs = [await startVolume()];
    await arrives(`${jobs[0]}_completed`);
    const { port } = receiver;
    const earlier = receiver.received.splice(0);
    await receiver.close();

    jobs.push(await startVolume(), await startVolume());
    await killAndRestart(stack.workers[0]);
    jobs.push(await startVolume());
    await killAndRestart(stack.apis[1]);
    jobs.push(await startVolume());
    await stack.redis?.kill('SIGKILL');
    await stack.redis?.restart();
    jobs.push(await startVolume());
    await killAndRestart(stack.workers[1]);
    await eventually(async () => (await stateOf(jobs.at(-1) ?? '')) === 'completed');
    receiver = await new WebhookReceiver().start(port);
    // The worker is killed before the first message is answered.
    receiver.answer = () => (receiver.received.length < 2 ? 'hang' : { status: 204 });
    const tried = await gateway.request('POST', `/api/webhooks/${id}/test`);
    assert.equal(tried.status, 202, tried.text);
    await eventually(async () => receiver.received.length > 0);
    for (const worker of stack.workers) await killAndRestart(worker);

    await arrives(...jobs.slice(1).map((job) => `${job}_completed`));
    const all = [...earlier, ...receiver.received];
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const bodies = new Map<string, string>();
    for (const { body, headers } of all) {
      const name = String(headers['webhook-id']);
      const signed = `${name}.${headers['webhook-timestamp']}.${body}`;
      assert.equal(
        headers['webhook-signature'],
        `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
      );
      assert.equal(bodies.get(name) ?? body, body, 'duplicates have the same id and body');
      bodies.set(name, body);
    }
    const completed = [...bodies.keys()].filter((name) => name.endsWith('_completed'));
    assert.deepEqual(completed.sort(), jobs.map((job) => `${job}_completed`).sort());
  });

  it('follow from a record whose worker has died', async () => {
    await start({ workers: 0 });
    await create();
    const cancelled = await startVolume();
    assert.equal((await gateway.request('POST', `/api/jobs/${cancelled}/cancel`)).status, 202);
    const failing = await startVolume(1_000_000);
    const provisioning = await stack.addWorker({ WORKER_QUEUES: 'provisioning' });
    await eventually(async () => (await stateOf(failing)) === 'failed');
    await eventually(async () => (await stateOf(cancelled)) === 'cancelled');
    await provisioning.kill('SIGKILL');
    assert.deepEqual(receiver.ids, []);

    await stack.addWorker({ WORKER_QUEUES: 'maintenance' });

    await arrives(`${cancelled}_cancelled`, `${failing}_failed`);
    const failure = receiver.received.find(({ headers }) => headers['webhook-id'] === `${failing}_failed`);
    const { data, type } = JSON.parse(failure?.body ?? '') as { type: string; data: Record<string, unknown> };
    assert.deepEqual(
      [type, data.job_id, data.job_type, data.error_code],
      ['job.failed', failing, 'volume.create', 'quota_exceeded'],
    );
  });

  it('learn of a quota that is nearly full', async () => {
    await start({ workers: 0, env: demoServiceUser });
    const admin = await GatewayClient.logIn(stack.url, testLogin('admin'));
    await create();
    await create('/api/admin/webhooks', admin);
    const project = await fillNetworkQuota(gateway, stack.identityUrl ?? '');

    await stack.addWorker();

    const isOfQuota = (id: string) => id.startsWith(`${project}_quota_network_networks_`);
    const messages = await eventually(async () => {
      const found = receiver.received.filter(({ headers }) => isOfQuota(String(headers['webhook-id'])));
      return found.length >= 2 ? found : undefined;
    }, DELIVERED_MS);
    assert.equal(new Set(messages.map(({ headers }) => headers['webhook-id'])).size, 1);
    const { data, type } = JSON.parse(messages[0]?.body ?? '') as {
      type: string;
      data: Record<string, unknown>;
    };
    const { in_use: inUse, limit, ...rest } = data;
    assert.deepEqual(
      [type, rest],
      [
        'quota.nearly_full',
        { project_id: project, project_name: 'demo', service: 'network', quota: 'networks' },
      ],
    );
    assert.equal(inUse, limit);
  });

  it('of the site learn of jobs that are held', async () => {
    await start({ workers: 0 });
    const admin = await GatewayClient.logIn(stack.url, testLogin('admin'));
    await create('/api/admin/webhooks', admin);
    const job = await startVolume();
    assert.equal((await admin.request('POST', `/api/admin/jobs/${job}/hold`)).status, 200);

    await stack.addWorker();

    await eventually(async () => receiver.ids.some((id) => id.startsWith(`${job}_held_`)));
    assert.equal((await admin.request('POST', `/api/admin/jobs/${job}/release`)).status, 200);
    await arrives(`${job}_completed`);
  });
});

/** Lowers a quota of the demo project to what is in use. Returns the project. */
async function fillNetworkQuota(gateway: GatewayClient, identityUrl: string): Promise<string> {
  const created = await gateway.request('POST', '/api/networks', { name: 'hooked' });
  assert.equal(created.status, 201, created.text);
  const { network } = await gateway.read<{ network: { networks: { in_use: number } } }>(
    '/api/dashboard/quotas?refresh=true',
  );
  const cloud = await CloudClient.logIn(identityUrl, testLogin('admin'));
  const quota = { network: network.networks.in_use };
  assert.ok(quota.network > 0);
  await cloud.call('network', 'PUT', `/v2.0/quotas/${gateway.projectId}`, { quota });
  return gateway.projectId;
}

async function killAndRestart(process: ServerProcess | undefined): Promise<void> {
  await process?.kill('SIGKILL');
  await process?.restart();
}
