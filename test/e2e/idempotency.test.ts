import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient, type ResourceIds } from '../support/clients/cloud-client.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { type EventStream, openStream } from '../support/clients/sse-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

describe('a creation with an Idempotency-Key and two apis', function () {
  this.timeout(180_000);
  let stack: Stack;
  let gateway: GatewayClient;
  let cloud: CloudClient;
  let baseline: ResourceIds;
  let body: object;

  before(async () => {
    stack = await startTestStack({ own: true, apis: 2, workers: 1 });
    cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
    gateway = await GatewayClient.logIn(urlOf(1), testLogin('demo'));
    body = await gateway.smallInstanceRequest('e2e-idempotency');
    baseline = await cloud.resourceIds();
  });

  after(() => stack?.stop());

  afterEach(async () => {
    for (const { id } of await gateway.read<{ id: string }[]>('/api/instances')) {
      if (!baseline.servers.includes(id)) await gateway.request('DELETE', `/api/instances/${id}`);
    }
    await eventually(async () => {
      assert.deepEqual(await cloud.resourceIds(), baseline);
      return true;
    });
  });

  it('creates one instance for concurrent requests to both, synchronous and streaming', async () => {
    const asked = await Promise.all([0, 1, 0, 1].map((api) => create(api, 'at-once')));

    const ends = await Promise.all(asked.map(async (stream) => (await messagesOf(stream)).at(-1)));

    assert.equal(new Set(asked.map(jobIdOf)).size, 1);
    for (const end of ends) assert.equal(end?.step, 'COMPLETED', end?.error ?? '');
    const made = (await cloud.resourceIds()).servers.filter((id) => !baseline.servers.includes(id));
    assert.deepEqual(made, [ends[0]?.instance_id]);
  });

  it("creates one instance across an api's death, and streams all events", async () => {
    const first = await create(0, 'killed');
    await first.next();
    await stack.apis[0]?.kill('SIGKILL');

    const again = await create(1, 'killed');
    const messages = await messagesOf(again);

    assert.equal(jobIdOf(again), jobIdOf(first));
    assert.equal(messages.at(-1)?.step, 'COMPLETED', messages.at(-1)?.error ?? '');
    assert.deepEqual(messages, await messagesOf(await gateway.followJob(jobIdOf(first))));
    const made = (await cloud.resourceIds()).servers.filter((id) => !baseline.servers.includes(id));
    assert.deepEqual(made, [messages.at(-1)?.instance_id]);
    await stack.apis[0]?.restart();
  });

  it('returns the same record to synchronous requests, for one instance', async () => {
    const ask = (api: number) =>
      fetch(`${urlOf(api)}/api/instances`, {
        method: 'POST',
        headers: headers('waited-for'),
        body: JSON.stringify(body),
      });

    const answers = await Promise.all([ask(0), ask(1)]);
    const afterwards = await ask(0);

    const texts = await Promise.all([...answers, afterwards].map((answer) => answer.text()));
    assert.deepEqual(
      [...answers, afterwards].map(({ status }) => status),
      [201, 201, 201],
      texts[0],
    );
    assert.deepEqual(texts, [texts[0], texts[0], texts[0]]);
    assert.equal((await cloud.resourceIds()).servers.length, baseline.servers.length + 1);
  });

  function create(api: number, key: string): Promise<EventStream> {
    return openStream(`${urlOf(api)}/api/instances/async`, { method: 'POST', headers: headers(key), body });
  }

  function headers(key: string): Record<string, string> {
    return { ...gateway.headers(), 'content-type': 'application/json', 'idempotency-key': key };
  }

  function urlOf(index: number): string {
    return stack.apis[index]?.url ?? '';
  }

  function jobIdOf(stream: EventStream): string {
    return stream.headers.get('x-job-id') ?? '';
  }
});
