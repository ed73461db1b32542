import assert from 'node:assert/strict';
import { newRequestId } from '@gateway/core';
import type { Stack } from '../../scripts/stack.ts';
import { alertsFiring, scrape } from '../support/alerts/firing-alerts.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { copyStore } from '../support/redis/store-copy.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

const HOLD_MS = 60_000;
const KEPT = [{ name: 'kept', size_gb: 1 }];

describe('a night in which the store loses its last seconds', function () {
  this.timeout(180_000);
  let stack: Stack;
  let control: CloudsimControl;
  let gateway: GatewayClient;

  before(async () => {
    stack = await startTestStack({
      ...simulatedCloud,
      ownRedis: true,
      cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0.05' },
      config: {
        redis: { key_prefix: 'night-set-back:' },
        jobs: { lock_seconds: 3, sweep_seconds: 1, recheck_seconds: 2 },
      },
    });
    control = new CloudsimControl(stack.cloudsim?.url ?? '');
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
  });

  after(() => stack?.stop());

  const namesOf = async (list: string) =>
    (await gateway.read<{ name: string }[]>(`${list}?refresh=true`)).map(({ name }) => name);

  it('keeps what a user kept, and makes nothing again that is deleted', async () => {
    const redis = stack.redis ?? assert.fail('The stack has no Redis.');
    const requestId = newRequestId();
    const hold = await control.hold('after', { requestId, service: 'compute', operation: 'servers.create' });
    const body = { ...(await gateway.smallInstanceRequest('deleted')), new_volumes: KEPT };
    const stream = await gateway.createInstance(body, requestId);
    assert.equal(await hold.waitUntilReached(HOLD_MS), 'held');
    const copy = await copyStore(redis);
    await hold.release();
    const created = (await messagesOf(stream)).at(-1);
    assert.equal(created?.step, 'COMPLETED', created?.error ?? '');
    const later = await gateway.createInstance(await gateway.smallInstanceRequest('later'));
    assert.equal((await messagesOf(later)).at(-1)?.step, 'COMPLETED');
    assert.equal((await gateway.request('DELETE', `/api/instances/${created?.instance_id}`)).status, 204);
    await eventually(async () => !(await namesOf('/api/instances')).includes('deleted'));

    const processes = [...stack.workers, ...stack.apis];
    await Promise.all(processes.map((one) => one.kill('SIGKILL')));
    await copy.putBack(redis);
    copy.remove();
    await Promise.all(processes.map((one) => one.restart()));

    const jobId = stream.headers.get('x-job-id') ?? '';
    const job = await eventually(async () => {
      const found = await gateway.read<{ status: string; error: string }>(`/api/jobs/${jobId}`);
      return ['completed', 'failed'].includes(found.status) ? found : undefined;
    });
    assert.equal(job.status, 'failed');
    assert.match(job.error, /check the result before you repeat the request/);
    assert.ok((await namesOf('/api/volumes')).includes('kept'));
    const instances = await namesOf('/api/instances');
    assert.deepEqual([instances.includes('deleted'), instances.includes('later')], [false, true]);
    const forgotten = await gateway.request('GET', `/api/jobs/${later.headers.get('x-job-id')}`);
    assert.equal(forgotten.status, 404);
    assert.deepEqual(await alertsFiring([{ atMinutes: 0, targets: await scrape(stack) }], 0), []);
  });
});
