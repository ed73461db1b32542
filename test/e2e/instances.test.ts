import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient, type ResourceIds } from '../support/clients/cloud-client.ts';
import {
  GatewayClient,
  type InstanceMessage,
  messagesOf,
  stepsOf,
} from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Prepared,
  prepareHugeFlavor,
  preparePrebuiltShare,
  testLibraries,
} from '../support/projects/prepared-cloud.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

interface Detail {
  id: string;
  name: string;
  status: string;
  task_state: string | null;
  image_name: string | null;
  ip_addresses: { type: string }[];
  overlay_libraries: string[];
  overlay_strategy: string | null;
  overlay_share_ids: string[];
  overlay_upper_volume_id: string | null;
  volume_ids: string[];
  job_id: string;
}

/** A list that changes only after this many ms was not dropped, but expired. */
const SHORTER_THAN_THE_CACHE_MS = 5_000;

describe('instances, from creation to deletion', function () {
  this.timeout(300_000);
  let stack: Stack;
  let gateway: GatewayClient;
  let cloud: CloudClient;
  let admin: CloudClient;
  let share: Prepared;
  let hugeFlavor: Prepared;
  let imageId: string;
  let flavorId: string;
  let baseline: ResourceIds;

  before(async () => {
    stack = await startTestStack({ config: { libraries: testLibraries } });
    const identityUrl = stack.identityUrl ?? '';
    admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
    cloud = await CloudClient.logIn(identityUrl, testLogin('demo'));
    share = await preparePrebuiltShare(admin);
    hugeFlavor = await prepareHugeFlavor(admin);
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    imageId = await idOf('/api/images', 'debian-12');
    flavorId = await idOf('/api/flavors', 'm1.tiny');
  });

  after(async () => {
    await share?.remove();
    await hugeFlavor?.remove();
    await stack?.stop();
  });

  beforeEach(async () => {
    baseline = await census();
  });

  it('creates, reads and deletes a plain instance', async () => {
    const messages = await gateway.messagesOfCreation(request('plain'));

    assert.deepEqual(stepsOf(messages), [
      'BOOT_VOLUME_CREATING',
      'SERVER_CREATING',
      'FLOATING_IP_CREATING',
      'COMPLETED',
    ]);
    const instance = await instanceOf(messages);
    assert.equal(instance.status, 'ACTIVE');
    assert.equal(instance.image_name, 'debian-12');
    assert.equal(instance.overlay_strategy, null);
    await eventually(async () => {
      const { ip_addresses } = await gateway.read<Detail>(`/api/instances/${instance.id}`);
      return ip_addresses.some(({ type }) => type === 'floating');
    });
    await deleteAndCompare(instance.id);
  });

  it('creates an instance with a prebuilt library, and removes its rule', async () => {
    const rulesBefore = await admin.accessRules(share.id);

    const messages = await gateway.messagesOfCreation({ ...request('prebuilt'), libraries: ['python311'] });

    assert.deepEqual(stepsOf(messages), [
      'FILESHARE_PREPARING',
      'BOOT_VOLUME_CREATING',
      'UPPER_VOLUME_CREATING',
      'USERDATA_GENERATING',
      'SERVER_CREATING',
      'ATTACHING_VOLUME',
      'FLOATING_IP_CREATING',
      'COMPLETED',
    ]);
    assert.deepEqual(
      messages.filter(({ progress }, index) => progress < (messages[index - 1]?.progress ?? 0)),
      [],
      'progress never falls',
    );
    const instance = await instanceOf(messages);
    assert.deepEqual(instance.overlay_libraries, ['python311']);
    assert.equal(instance.overlay_strategy, 'prebuilt');
    assert.deepEqual(instance.overlay_share_ids, [share.id]);
    assert.ok(instance.volume_ids.includes(instance.overlay_upper_volume_id ?? ''));
    assert.equal((await admin.accessRules(share.id)).length, rulesBefore.length + 1);
    await deleteAndCompare(instance.id);
    await eventually(async () => {
      assert.deepEqual(await admin.accessRules(share.id), rulesBefore);
      return true;
    });
  });

  it('adds dependencies, and creates a share for libraries without one', async () => {
    const messages = await gateway.messagesOfCreation({ ...request('dynamic'), libraries: ['numerics'] });

    const instance = await instanceOf(messages);
    assert.deepEqual(instance.overlay_libraries, ['python311', 'numerics']);
    assert.equal(instance.overlay_strategy, 'dynamic');
    assert.equal((await census()).shares.length, baseline.shares.length + 1);
    await deleteAndCompare(instance.id);
  });

  it('waits for the same job in a synchronous request', async () => {
    const answer = await gateway.request<Detail>('POST', '/api/instances', request('waited-for'));

    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.body.status, 'ACTIVE');
    const types = answer.body.ip_addresses.map(({ type }) => type);
    assert.deepEqual(types, ['fixed', 'floating'], 'with the floating IP that was just made');
    const job = await gateway.read<{ status: string; resource_id: string }>(
      `/api/jobs/${answer.body.job_id}`,
    );
    assert.deepEqual([job.status, job.resource_id], ['completed', answer.body.id]);
    await deleteAndCompare(answer.body.id);
  });

  it('is refused before its job for an unknown flavor', async () => {
    const flavor_id = '00000000-0000-4000-8000-000000000000';

    for (const path of ['/api/instances', '/api/instances/async']) {
      const body = { ...request('no-flavor'), flavor_id };
      const refused = await gateway.request<{ detail: string }>('POST', path, body);

      assert.deepEqual([refused.status, refused.body.detail], [400, `Flavor ${flavor_id} was not found.`]);
      assert.equal(refused.headers.get('x-job-id'), null);
    }
    assert.deepEqual(await census(), baseline);
  });

  it('fails for a flavor that no host can hold, and rolls back', async () => {
    const messages = await gateway.messagesOfCreation({
      ...request('huge'),
      flavor_id: hugeFlavor.id,
      libraries: ['numerics'],
    });

    assert.ok(stepsOf(messages).includes('SERVER_CREATING'), 'it got as far as the server');
    const last = messages.at(-1);
    assert.equal(last?.step, 'FAILED');
    assert.match(last?.error ?? '', /no host has room for this flavor/);
    assert.deepEqual(await census(), baseline);
  });

  it('cancels a creation with its job, and rolls back', async () => {
    const stream = await gateway.createInstance(request('cancelled'));
    // The checks, and then the boot volume.
    await stream.next();
    await stream.next();

    const cancel = await gateway.request('POST', `/api/jobs/${stream.headers.get('x-job-id')}/cancel`);

    assert.equal(cancel.status, 202, cancel.text);
    const last = (await messagesOf(stream)).at(-1);
    assert.deepEqual([last?.step, last?.code], ['FAILED', 'cancelled']);
    assert.deepEqual(await census(), baseline);
  });

  it('cancels a creation whose instance is deleted, without leftovers', async () => {
    const stream = await gateway.createInstance({ ...request('deleted'), libraries: ['numerics'] });
    let seen: InstanceMessage | null = null;
    while (seen?.instance_id == null) seen = await stream.nextJson<InstanceMessage>();

    const answer = await gateway.request('DELETE', `/api/instances/${seen.instance_id}`);

    assert.equal(answer.status, 204, answer.text);
    await stream.rest();
    await eventually(async () => {
      assert.deepEqual(await census(), baseline);
      return true;
    });
  });

  it('lists a deleted instance as deleting or not at all', async () => {
    const instance = await instanceOf(await gateway.messagesOfCreation(request('going')));
    await gateway.read('/api/instances');

    assert.equal((await gateway.request('DELETE', `/api/instances/${instance.id}`)).status, 204);

    const stages = new Set<string>();
    await eventually(async () => {
      const row = (await gateway.read<Detail[]>('/api/instances')).find(({ id }) => id === instance.id);
      stages.add(row === undefined ? 'gone' : `${row.status} ${row.task_state}`);
      return row === undefined;
    });
    for (const stage of stages) assert.match(stage, /^gone$|delet/i);
    await eventually(async () => {
      assert.deepEqual(await census(), baseline);
      return true;
    });
  });

  it('drops cached lists before the response, so that they show the change', async () => {
    await gateway.read('/api/instances');

    const instance = await instanceOf(await gateway.messagesOfCreation(request('listed')));

    const listed = await gateway.read<Detail[]>('/api/instances');
    assert.ok(listed.some(({ id }) => id === instance.id));
    await deleteAndCompare(instance.id);
    await eventually(async () => {
      const left = await gateway.read<Detail[]>('/api/instances');
      assert.ok(left.every(({ id }) => id !== instance.id));
      return true;
    }, SHORTER_THAN_THE_CACHE_MS);
  });

  it('answers 404 for an unknown instance, also when deleting it', async () => {
    const path = '/api/instances/00000000-0000-4000-8000-000000000000';

    assert.equal((await gateway.request('GET', path)).status, 404);
    assert.equal((await gateway.request('DELETE', path)).status, 404);
  });

  function request(name: string) {
    return { name: `e2e-${name}`, image_id: imageId, flavor_id: flavorId, boot_volume_size_gb: 1 };
  }

  async function idOf(path: string, name: string): Promise<string> {
    const items = await gateway.read<{ id: string; name: string }[]>(path);
    const item = items.find((candidate) => candidate.name === name);
    assert.ok(item, `${path} has ${name}`);
    return item.id;
  }

  function census(): Promise<ResourceIds> {
    return cloud.resourceIds();
  }

  async function instanceOf(messages: InstanceMessage[]): Promise<Detail> {
    const last = messages.at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? 'the stream ended early');
    assert.ok(last.instance_id);
    return gateway.read<Detail>(`/api/instances/${last.instance_id}`);
  }

  async function deleteAndCompare(instanceId: string): Promise<void> {
    const answer = await gateway.request('DELETE', `/api/instances/${instanceId}`);
    assert.equal(answer.status, 204, answer.text);
    await assertNotListedAsRunning(instanceId);
    await eventually(async () => {
      assert.deepEqual(await census(), baseline);
      return true;
    });
  }

  /** From the response to the deletion on, the list shows the instance as being deleted, or not at all. */
  async function assertNotListedAsRunning(instanceId: string): Promise<void> {
    const row = (await gateway.read<Detail[]>('/api/instances')).find(({ id }) => id === instanceId);
    if (row !== undefined) assert.match(`${row.status} ${row.task_state}`, /delet/i);
  }
});
