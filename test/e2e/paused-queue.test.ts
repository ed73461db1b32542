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
  let cookie: string;

  before(async () => {
    stack = await startTestStack({ workers: 2, config: { ops: { enabled: true, allow_changes: true } } });
    member = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const { password, projectName: project_name, username } = testLogin('admin');
    const { headers, status } = await ask('POST', '/ops/login', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ username, password, project_name })),
    });
    assert.equal(status, 303);
    cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
  });

  after(() => stack?.stop());

  function ask(method: string, path: string, { headers = {}, body }: RequestInit = {}): Promise<Response> {
    return fetch(`${stack.url}${path}`, {
      method,
      body,
      redirect: 'manual',
      headers: { origin: stack.url, cookie, ...headers } as Record<string, string>,
    });
  }

  async function change(action: 'pause' | 'resume'): Promise<void> {
    assert.equal((await ask('PUT', `/ops/queues/provisioning/${action}`)).status, 200);
  }

  async function readQueue(): Promise<Queue> {
    const answer = await ask('GET', '/ops/data/queues');
    const { items } = (await answer.json()) as { items: Queue[] };
    const queue = items.find(({ name }) => name === 'provisioning');
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
    const job = await member.read<{ status: string }>(`/api/jobs/${jobId}`);
    await change('resume');
    const ended = (await messagesOf(stream)).at(-1);

    assert.equal(deleted.status, 204, 'a job of another queue has run meanwhile');
    assert.deepEqual([paused.is_paused, paused.counts.active, paused.counts.waiting], [true, 0, 1]);
    assert.equal(job.status, 'queued');
    assert.equal(ended?.step, 'COMPLETED', ended?.error ?? '');
    assert.equal((await readQueue()).is_paused, false);
    await eventually(async () => {
      const { status } = await member.request('DELETE', `/api/instances/${ended.instance_id}`);
      return status === 204 ? true : undefined;
    });
  });
});
