import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { ProjectListener } from '../support/clients/project-listener.ts';
import { eventually } from '../support/eventually.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

const LISTENERS = 200;
const LIMIT_MS = 90_000;
const TYPES = ['volume', 'keypair', 'job', 'instance'];

describe('the listeners of a project', function () {
  this.timeout(300_000);
  let stack: Stack;
  let gateway: GatewayClient;
  let cloud: CloudClient;
  let urls: string[];
  let listeners: ProjectListener[] = [];

  before(async () => {
    stack = await startTestStack({
      ...simulatedCloud,
      own: true,
      ownRedis: true,
      apis: 2,
      config: {
        events: { interval_seconds: { volumes: 1, instances: 1 }, transition_seconds: 1 },
        http: { streams_per_user: 0 },
      },
    });
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
    urls = stack.apis.map(({ url }) => url);
  });

  afterEach(() => {
    for (const listener of listeners) listener.stop();
    listeners = [];
  });

  after(() => stack?.stop());

  function listen(count: number): ProjectListener[] {
    const { token, projectId } = gateway;
    listeners = Array.from({ length: count }, (_, index) => {
      const order = index % 2 === 0 ? urls : urls.toReversed();
      return new ProjectListener({ urls: order, token, projectId, types: TYPES });
    });
    return listeners;
  }

  /** Waits until all listeners are connected, and have got what the first poll of each list reports. */
  async function listening(): Promise<void> {
    await eventually(async () => listeners.every(({ readies }) => readies > 0), LIMIT_MS);
    await eventually(async () => {
      const polled = await gatewayPolls();
      return polled >= 3;
    }, LIMIT_MS);
  }

  /** How many lists have been polled, in all processes. */
  async function gatewayPolls(): Promise<number> {
    const counts = await Promise.all(
      urls.map(async (url) => {
        const text = await (await fetch(`${url}/api/metrics`)).text();
        const lines = text.match(/^gateway_list_polls_total\{.*\} \d+$/gm) ?? [];
        return lines.map((line) => Number(line.split(' ').at(-1))).reduce((sum, each) => sum + each, 0);
      }),
    );
    return counts.reduce((sum, each) => sum + each, 0);
  }

  const everybody = (check: (listener: ProjectListener) => boolean) =>
    eventually(async () => listeners.every(check), LIMIT_MS);

  function client(index: number): Promise<GatewayClient> {
    return GatewayClient.logIn(urls[index] ?? '', testLogin('demo'));
  }

  async function createVolume(by: GatewayClient): Promise<string> {
    const { status, body, text } = await by.request<{ id: string }>('POST', '/api/volumes', {
      name: 'e2e-listened',
      size_gb: 1,
    });
    assert.equal(status, 201, text);
    return body.id;
  }

  it('learn each change once and in order, whoever makes it', async () => {
    listen(LISTENERS);
    await listening();
    const clients = [await client(0), await client(1)] as const;

    const ids: string[] = [];
    for (const by of clients) ids.push(await createVolume(by));
    const outside = await cloud.call<{ volume: { id: string } }>('volumev3', 'POST', '/volumes', {
      volume: { name: 'e2e-outside', size: 1 },
    });
    ids.push(outside.volume.id);
    await everybody((listener) => ids.every((id) => listener.of(id).at(-1)?.endsWith(' available') === true));
    for (const id of ids.slice(0, 2)) await clients[0].request('DELETE', `/api/volumes/${id}`);
    await cloud.call('volumev3', 'DELETE', `/volumes/${ids[2]}`);
    await everybody((listener) => ids.every((id) => listener.of(id).at(-1) === 'deleted null'));

    assertSame(listeners);
    for (const id of ids) assertOnce(listeners[0]?.of(id) ?? []);
  });

  it('miss nothing over a restart of an api and of Redis', async () => {
    listen(LISTENERS);
    await listening();
    const other = await client(1);
    const ids: string[] = [];
    ids.push(await createVolume(other));

    const restart = stack.apis[0]?.restart();
    ids.push(await createVolume(other));
    await restart;
    ids.push(await createVolume(other));
    await stack.redis?.kill('SIGTERM');
    const outside = await cloud.call<{ volume: { id: string } }>('volumev3', 'POST', '/volumes', {
      volume: { name: 'e2e-outside', size: 1 },
    });
    ids.push(outside.volume.id);
    await stack.redis?.restart();
    await eventually(async () => {
      ids.push(await createVolume(other));
      return true;
    });
    await everybody((listener) => ids.every((id) => listener.of(id).at(-1)?.endsWith(' available') === true));
    for (const id of ids)
      await eventually(async () => (await other.request('DELETE', `/api/volumes/${id}`)).status === 204);
    await everybody((listener) => ids.every((id) => listener.of(id).at(-1) === 'deleted null'));

    assertSame(listeners);
    for (const id of ids) assertOnce(listeners[0]?.of(id) ?? []);
  });
});

/** All listeners have the same events in the same order, each once. */
function assertSame([first, ...others]: readonly ProjectListener[]): void {
  const eventIds = first?.events.map(({ eventId }) => eventId) ?? [];
  assert.equal(new Set(eventIds).size, eventIds.length, 'an event came twice');
  for (const other of others) {
    // Those that have connected later begin later.
    const own = other.events.map(({ eventId }) => eventId);
    const shared = Math.min(own.length, eventIds.length);
    assert.deepEqual(own.slice(-shared), eventIds.slice(-shared));
  }
}

/** A life from `created` to `deleted`, in which no state comes twice in a row. */
function assertOnce(changes: readonly string[]): void {
  const text = changes.join(', ');
  assert.match(changes[0] ?? '', /^created /, text);
  assert.equal(changes.at(-1), 'deleted null', text);
  assert.equal(changes.filter((each) => /^(?:created|deleted) /.test(each)).length, 2, text);
  for (const [index, change] of changes.entries()) {
    const state = change.split(' ')[1];
    if (index > 0) assert.notEqual(state, changes[index - 1]?.split(' ')[1], text);
  }
}
