import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

interface Queue {
  name: string;
  is_paused: boolean;
  counts: { active: number; waiting: number };
}

describe('a queue that an operator has paused', function () {
  this.timeout(300_000);
  let stack: Stack;
  let member: GatewayClient;
  let administrator: GatewayClient;

  before(async () => {
    stack = await startTestStack({ workers: 2, config: { ops: { allow_changes: true } } });
    member = await GatewayClient.logIn(stack.url, testLogin('demo'));
    administrator = await GatewayClient.logIn(stack.url, testLogin('admin'));
  });

  after(() => stack?.stop());

  async function change(action: 'pause' | 'resume'): Promise<void> {
    const { status, text } = await administrator.request('POST', `/api/admin/queues/provisioning/${action}`);
    assert.equal(status, 200, text);
  }

  async function readQueue(): Promise<Queue> {
    const queues = await administrator.read<Queue[]>('/api/admin/queues');
    const queue = queues.find(({ name }) => name === 'provisioning');
    assert.ok(queue);
    return queue;
  }

  it('keeps its jobs until it is resumed, while other queues continue', async () => {
    const existing = await member.createInstance(await member.smallInstanceRequest('before'));
    const last = (await messagesOf(existing)).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    await change('pause');

    const stream = await member.createInstance(await member.smallInstanceRequest('paused'));
    const jobId = stream.headers.get('x-job-id') ?? '';
    const deleted = await member.request('DELETE', `/api/instances/${last.instance_id}`);
    const paused = await readQueue();
    const entries = await administrator.read<{ items: { id: string; status: string }[] }>(
      '/api/admin/queues/provisioning/entries?state=waiting',
    );
    const job = await member.read<{ status: string }>(`/api/jobs/${jobId}`);
    await change('resume');
    const ended = (await messagesOf(stream)).at(-1);

    assert.equal(deleted.status, 204, 'a job of another queue has run meanwhile');
    assert.deepEqual([paused.is_paused, paused.counts.active, paused.counts.waiting], [true, 0, 1]);
    assert.deepEqual(
      entries.items.map(({ id, status }) => [id, status]),
      [[jobId, 'queued']],
    );
    assert.equal(job.status, 'queued');
    assert.equal(ended?.step, 'COMPLETED', ended?.error ?? '');
    assert.equal((await readQueue()).is_paused, false);
    await eventually(async () => {
      const { status } = await member.request('DELETE', `/api/instances/${ended.instance_id}`);
      return status === 204;
    });
  });
});
