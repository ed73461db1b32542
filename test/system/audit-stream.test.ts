import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Stack } from '../../scripts/stack.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { AuditReceiver } from '../support/doubles/audit-receiver.ts';
import { eventually } from '../support/eventually.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

const PATIENCE_MS = 60_000;

describe('the audit stream of a gateway whose processes die', function () {
  this.timeout(4 * PATIENCE_MS);
  let stack: Stack;
  let gateway: GatewayClient;
  let receiver: AuditReceiver;

  before(async () => {
    receiver = await AuditReceiver.start();
    stack = await startTestStack({
      identityUrl: undefined,
      cloudsim: true,
      ownRedis: true,
      config: {
        audit: { stream: { url: receiver.url } },
        // A killed worker is detected when its lock expires.
        jobs: { lock_seconds: 2 },
      },
    });
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
  });

  after(async () => {
    await stack?.stop();
    await receiver?.leave();
  });

  /** Writes, and returns the ids of the requests that were answered. */
  async function write(count: number): Promise<string[]> {
    const answered: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const requestId = `req-${randomUUID()}`;
      const response = await fetch(`${gateway.url}/api/security-groups`, {
        method: 'POST',
        headers: { ...gateway.headers(requestId), 'content-type': 'application/json' },
        body: JSON.stringify({ name: `audited-${index}` }),
      });
      assert.ok(response.status < 500, `${response.status}`);
      answered.push(requestId);
    }
    return answered;
  }

  const arrive = (requestIds: readonly string[]) =>
    eventually(async () => requestIds.every((id) => receiver.requestIds.has(id)), PATIENCE_MS);

  /** Each request once, and each delivery of its event with the same id. */
  function assertOneIdEach(requestIds: readonly string[]): void {
    for (const requestId of requestIds) {
      const events = receiver.events.filter(({ initiator }) => initiator.request_id === requestId);
      assert.equal(new Set(events.map(({ id }) => id)).size, 1, requestId);
    }
  }

  it('has all that was answered while the receiver was unavailable', async () => {
    await receiver.leave();
    const answered = await write(3);
    await stack.apis[0]?.kill('SIGKILL');
    await stack.workers[0]?.kill('SIGKILL');
    await Promise.all([stack.apis[0]?.restart(), stack.workers[0]?.restart()]);
    answered.push(...(await write(2)));
    await stack.redis?.kill('SIGKILL');
    await stack.redis?.restart();
    await receiver.come();

    await arrive(answered);
    assertOneIdEach(answered);
  });

  it('repeats an event under its id if a worker dies', async () => {
    receiver.losesAnswers = true;
    const answered = await write(2);
    await arrive(answered);
    await stack.workers[0]?.kill('SIGKILL');
    receiver.losesAnswers = false;
    const before = receiver.events.length;
    await stack.workers[0]?.restart();

    await eventually(async () => receiver.events.length >= before + answered.length, PATIENCE_MS);
    assertOneIdEach(answered);
    assert.ok(receiver.events.length > receiver.requestIds.size);
  });

  it('has the end of a job after the request for it', async () => {
    const name = `audited-${randomUUID().slice(0, 8)}`;
    const stream = await gateway.startJob('/api/volumes/async', { name, size_gb: 1 });
    const jobId = stream.headers.get('x-job-id');
    stream.close();

    const end = await eventually(async () => receiver.events.find(({ id }) => id === jobId), PATIENCE_MS);
    const request = receiver.events.find(
      ({ id, initiator }) => id !== jobId && initiator.request_id === end.initiator.request_id,
    );
    assert.deepEqual(
      [request?.outcome, request?.action, request?.target.id],
      ['pending', 'create', 'unknown'],
    );
    assert.deepEqual([end.outcome, end.action, end.target.typeURI], ['success', 'create', 'storage/volume']);
    assert.equal(end.target.name, name);
  });

  it('leaves nothing waiting, and says so in the metrics', async () => {
    const text = await eventually(async () => {
      const metrics = await (await fetch(`${stack.url}/api/metrics`)).text();
      assert.match(metrics, /^gateway_audit_stream_waiting\{.*\} 0$/m);
      return metrics;
    }, PATIENCE_MS);

    const delivered = Number(text.match(/^gateway_audit_stream_delivered\{.*\} (\d+)$/m)?.[1]);
    assert.equal(delivered, new Set(receiver.events.map(({ id }) => id)).size);
    assert.match(text, /^gateway_audit_stream_dropped\{.*\} 0$/m);
  });
});
