import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import {
  GatewayClient,
  type InstanceMessage,
  type InstanceRequest,
  messagesOf,
  stepsOf,
} from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { createNetwork, type PreparedProject, prepareProject } from '../support/projects/prepared-project.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

interface Volume {
  id: string;
  name: string;
  size: number;
  status: string;
  attachments: { server_id: string; device: string }[];
}

const NEW_VOLUMES = [
  { name: 'data', size_gb: 2 },
  { name: 'data', size_gb: 1 },
];

describe('volumes that a creation attaches and creates', function () {
  this.timeout(300_000);
  let stack: Stack;
  let project: PreparedProject;
  let gateway: GatewayClient;
  let request: InstanceRequest;

  before(async () => {
    stack = await startTestStack();
    const identityUrl = stack.identityUrl ?? '';
    project = await prepareProject(identityUrl, await CloudClient.logIn(identityUrl, testLogin('admin')));
    gateway = await GatewayClient.logIn(stack.url, project.login);
    request = await gateway.smallInstanceRequest('e2e-volumes');
  });

  after(async () => {
    await project?.remove();
    await stack?.stop();
  });

  afterEach(async () => {
    await eventually(async () => (await servers()).length === 0);
    for (const { id } of await volumes()) await call('DELETE', `/volumes/${id}`, undefined, [404]);
    await eventually(async () => (await volumes()).length === 0);
  });

  it('are attached in order, and kept when the instance is deleted', async () => {
    const [first, second] = [await makeVolume('first'), await makeVolume('second')];

    const messages = await create({
      delete_boot_volume_on_termination: false,
      additional_volume_ids: [second, first],
      new_volumes: NEW_VOLUMES,
    });

    const last = messages.at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    assert.deepEqual(stepsOf(messages), [
      'BOOT_VOLUME_CREATING',
      'SERVER_CREATING',
      'ATTACHING_VOLUME',
      'FLOATING_IP_CREATING',
      'COMPLETED',
    ]);
    const falling = messages.filter(({ progress }, index) => progress < (messages[index - 1]?.progress ?? 0));
    assert.deepEqual(falling, [], 'progress never falls');
    const attached = await attachedTo(last.instance_id ?? '');
    assert.deepEqual(
      attached.slice(1, 3).map(({ id }) => id),
      [second, first],
    );
    assert.deepEqual(
      attached.slice(3).map(({ name, size }) => ({ name, size_gb: size })),
      NEW_VOLUMES,
    );

    await remove(last.instance_id ?? '');

    assert.deepEqual(
      (await volumes()).map(({ id, status }) => ({ id, status })).toSorted(byId),
      attached.map(({ id }) => ({ id, status: 'available' })).toSorted(byId),
    );
  });

  it('are kept when the boot volume is deleted with the instance', async () => {
    const messages = await create({ new_volumes: NEW_VOLUMES.slice(0, 1) });
    const last = messages.at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    const [, created] = await attachedTo(last.instance_id ?? '');

    await remove(last.instance_id ?? '');

    assert.deepEqual(
      (await volumes()).map(({ id, status }) => ({ id, status })),
      [{ id: created?.id, status: 'available' }],
    );
  });

  it('are detached, or deleted if new, when the creation is cancelled', async () => {
    const additional = await makeVolume('additional');
    const stream = await start({
      delete_boot_volume_on_termination: false,
      additional_volume_ids: [additional],
      new_volumes: NEW_VOLUMES,
    });
    const jobId = stream.headers.get('x-job-id') ?? '';
    let seen: InstanceMessage | null = null;
    while (seen?.message !== 'Volume 2 of 3 is being attached.')
      seen = await stream.nextJson<InstanceMessage>();

    assert.equal((await gateway.request('POST', `/api/jobs/${jobId}/cancel`)).status, 202);

    const last = (await messagesOf(stream)).at(-1);
    assert.deepEqual([last?.step, last?.code], ['FAILED', 'cancelled']);
    const { leftovers } = await gateway.read<{ leftovers: unknown[] }>(`/api/jobs/${jobId}`);
    assert.deepEqual(leftovers, []);
    assert.deepEqual(
      (await volumes()).map(({ id, status, attachments }) => ({ id, status, attachments })),
      [{ id: additional, status: 'available', attachments: [] }],
    );
  });

  it('are rejected before any creation if the project lacks the volume', async () => {
    const missing = '00000000-0000-4000-8000-000000000000';

    const answer = await refusal({ additional_volume_ids: [missing] });

    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_input']);
    assert.equal(answer.body.detail, `Volume ${missing} was not found.`);
    assert.deepEqual(await volumes(), []);
  });

  it('are rejected before any creation if another project owns the volume', async () => {
    const volumeId = await makeVolume('foreign');
    const root = await GatewayClient.logIn(stack.url, testLogin('admin'));
    const rootCloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
    const network = await createNetwork(rootCloud, null);

    const answer = await root.request<{ detail: string }>('POST', '/api/instances', {
      ...request,
      network_id: network.id,
      additional_volume_ids: [volumeId],
    });
    await network.remove();

    assert.equal(answer.status, 400);
    assert.equal(answer.body.detail, `Volume ${volumeId} was not found.`);
  });

  it('are refused before anything is created if another instance uses the volume', async () => {
    const volumeId = await makeVolume('taken');
    const holder = (await create({ additional_volume_ids: [volumeId] })).at(-1);
    assert.equal(holder?.step, 'COMPLETED', holder?.error ?? '');
    const before = await volumes();

    const answer = await refusal({ additional_volume_ids: [volumeId] });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
    assert.equal(
      answer.body.detail,
      `Volume ${volumeId} cannot be attached: its status is in-use, not available.`,
    );
    assert.deepEqual(await volumes(), before);
    await remove(holder.instance_id ?? '');
  });

  function start(more: object) {
    return gateway.createInstance({ ...request, ...more });
  }

  async function create(more: object): Promise<InstanceMessage[]> {
    return messagesOf(await start(more));
  }

  function refusal(more: object) {
    return gateway.request<{ code: string; detail: string }>('POST', '/api/instances', {
      ...request,
      ...more,
    });
  }

  /** Waits until the server is deleted and the clean-up job has ended. */
  async function remove(instanceId: string): Promise<void> {
    assert.equal((await gateway.request('DELETE', `/api/instances/${instanceId}`)).status, 204);
    await eventually(async () => {
      const { items } = await gateway.read<{ items: { status: string; leftovers: unknown[] }[] }>(
        '/api/jobs?type=instance.delete&limit=1',
      );
      assert.deepEqual([items[0]?.status, items[0]?.leftovers], ['completed', []]);
      return true;
    });
  }

  function call<T>(method: string, path: string, body?: object, accept?: number[]): Promise<T> {
    return project.cloud.call<T>('volumev3', method, path, body, accept);
  }

  async function volumes(): Promise<Volume[]> {
    return (await call<{ volumes: Volume[] }>('GET', '/volumes/detail')).volumes;
  }

  async function servers(): Promise<unknown[]> {
    return (await project.cloud.call<{ servers: unknown[] }>('compute', 'GET', '/servers')).servers;
  }

  async function makeVolume(name: string): Promise<string> {
    const { volume } = await call<{ volume: Volume }>('POST', '/volumes', { volume: { name, size: 1 } });
    return eventually(async () => {
      const { status, id } = (await call<{ volume: Volume }>('GET', `/volumes/${volume.id}`)).volume;
      return status === 'available' ? id : undefined;
    });
  }

  /** The volumes of a server in the order of their devices. */
  async function attachedTo(serverId: string): Promise<Volume[]> {
    const deviceOf = ({ attachments }: Volume) => attachments[0]?.device ?? '';
    return (await volumes())
      .filter(({ attachments }) => attachments.some(({ server_id }) => server_id === serverId))
      .toSorted((a, b) => deviceOf(a).localeCompare(deviceOf(b)));
  }
});

function byId(a: { id: string }, b: { id: string }): number {
  return a.id.localeCompare(b.id);
}
