import assert from 'node:assert/strict';
import type { ErrorBody } from '../support/api/client.ts';
import { eventually } from '../support/eventually.ts';
import { testLibraries } from '../support/projects/prepared-cloud.ts';
import { InstanceStack } from '../support/stacks/instance-stack.ts';

interface Row {
  id: string;
  volume_id: string;
  server_id: string;
  device: string;
  name: string;
  size: number;
  status: string;
  delete_on_termination: boolean;
}

const MISSING = '00000000-0000-4000-8000-000000000000';

describe('the volumes of an instance', function () {
  this.timeout(300_000);
  let instances: InstanceStack;
  let id: string;

  before(async () => {
    instances = await InstanceStack.start({
      config: { libraries: testLibraries, instances: { upper_volume_size_gb: 1, dynamic_share_size_gb: 1 } },
    });
    id = await instances.create();
  });

  after(async () => {
    await instances?.delete(id);
    await instances?.stop();
  });

  it('are attached, listed and detached, and stay in the project', async () => {
    const volumeId = await instances.createVolume('data');

    const attached = await attach(volumeId);

    assert.equal(attached.status, 201, attached.text);
    const { device, status, ...rest } = attached.body;
    assert.deepEqual(rest, {
      id: volumeId,
      volume_id: volumeId,
      server_id: id,
      server_name: 'e2e-instance',
      name: 'data',
      size: 1,
      delete_on_termination: false,
    });
    assert.match(device, /^\/dev\/\w+$/);
    assert.match(status, /^(reserved|attaching|in-use)$/);
    await instances.untilVolume(volumeId, 'in-use');
    const [boot, row, ...others] = await list();
    assert.deepEqual(row, { ...attached.body, status: 'in-use' });
    assert.equal(boot?.delete_on_termination, true);
    assert.deepEqual(others, []);

    const detached = await detach(volumeId);

    assert.deepEqual([detached.status, detached.text], [204, '']);
    await instances.untilVolume(volumeId, 'available');
    // The compute service removes its record a moment after the volume service.
    await eventually(async () => {
      assert.deepEqual(
        (await list()).map((volume) => volume.id),
        [boot?.id],
      );
      return true;
    });
    await removeVolume(volumeId);
  });

  it('can be attached right after their creation was accepted', async () => {
    const made = await instances.gateway.request<{ id: string; status: string }>('POST', '/api/volumes', {
      name: 'fresh',
      size_gb: 1,
    });

    const { status, text } = await attach(made.body.id);

    assert.equal(made.body.status, 'creating');
    assert.equal(status, 201, text);
    await instances.untilVolume(made.body.id, 'in-use');
    await detach(made.body.id);
    await instances.untilVolume(made.body.id, 'available');
    await removeVolume(made.body.id);
  });

  it('cannot be attached while in use, with the status of the volume', async () => {
    const [boot] = await list();

    const { status, body } = await attach(boot?.id ?? '');

    assert.deepEqual([status, body.code], [409, 'conflict']);
    assert.match(body.detail, /its status is in-use/);
  });

  it('do not include the boot volume when it comes to detaching', async () => {
    const [boot] = await list();

    const { status, body } = await detach(boot?.id ?? '');

    assert.deepEqual([status, body.code], [409, 'conflict']);
    assert.equal(body.detail, 'The boot volume of an instance cannot be detached.');
  });

  it('can be attached to a stopped instance, except during a task', async () => {
    const volumeId = await instances.createVolume('data');
    await instances.ask('POST', `${id}/stop`);
    const during = await attach(volumeId);
    await instances.untilStatus(id, 'SHUTOFF');
    if (during.status !== 201) assert.equal((await attach(volumeId)).status, 201);
    await instances.untilVolume(volumeId, 'in-use');
    assert.equal((await detach(volumeId)).status, 204);
    await instances.untilVolume(volumeId, 'available');
    await instances.ask('POST', `${id}/start`);
    await instances.untilStatus(id, 'ACTIVE');
    await removeVolume(volumeId);

    if (during.status !== 201) {
      assert.equal(during.status, 409);
      assert.match(during.body.detail, /its task state is powering-off/);
    }
  });

  it('cannot be attached or detached twice at once', async () => {
    const volumeId = await instances.createVolume('data');

    const attached = await Promise.all([attach(volumeId), attach(volumeId)]);
    await instances.untilVolume(volumeId, 'in-use');
    const detached = await Promise.all([detach(volumeId), detach(volumeId)]);
    await instances.untilVolume(volumeId, 'available');
    await removeVolume(volumeId);

    assert.deepEqual(statuses(attached), [201, 409]);
    for (const { status, body } of attached)
      if (status === 409) assert.match(body.detail, /its status is (reserved|attaching|in-use)/);
    const [first, second] = statuses(detached);
    assert.equal(first, 204);
    assert.ok([204, 404, 409].includes(second ?? 0), `${second}`);
  });

  it('include the upper volume of layers, which cannot be detached', async () => {
    const layered = await instances.create({ libraries: ['python311'], strategy: 'dynamic' });
    const { overlay_upper_volume_id: upper } = await instances.gateway.read<{
      overlay_upper_volume_id: string;
    }>(`/api/instances/${layered}`);

    const answer = await instances.ask<ErrorBody>('DELETE', `${layered}/volumes/${upper}`);
    const rows = (await instances.ask<Row[]>('GET', `${layered}/volumes`)).body;
    await instances.delete(layered);

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
    assert.match(answer.body.detail, /the writable layer of the instance's libraries/);
    assert.equal(rows.find(({ volume_id }) => volume_id === upper)?.status, 'in-use');
  });

  it('are those of the project: others do not exist for it', async () => {
    const foreign = await foreignVolume();

    const missing = await attach(MISSING);
    const unattached = await detach(MISSING);
    const others = await attach(foreign.id);
    await instances.assertHidden('GET', `${id}/volumes`);
    await instances.assertHidden('POST', `${id}/volumes`, { volume_id: foreign.id });
    await instances.assertHidden('DELETE', `${id}/volumes/${(await list())[0]?.id}`);
    const noInstance = await instances.ask('GET', `${MISSING}/volumes`);
    await foreign.remove();

    for (const { status } of [missing, unattached, others, noInstance]) assert.equal(status, 404);
  });

  function attach(volumeId: string) {
    return instances.ask<Row & ErrorBody>('POST', `${id}/volumes`, { volume_id: volumeId });
  }

  function detach(volumeId: string) {
    return instances.ask<ErrorBody>('DELETE', `${id}/volumes/${volumeId}`);
  }

  /** In the order of their devices. */
  async function list(): Promise<Row[]> {
    const answer = await instances.ask<Row[]>('GET', `${id}/volumes`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.toSorted((a, b) => a.device.localeCompare(b.device));
  }

  async function removeVolume(volumeId: string): Promise<void> {
    await instances.project.cloud.call('volumev3', 'DELETE', `/volumes/${volumeId}`);
  }

  /** A volume of the administrator's project. */
  async function foreignVolume() {
    const { admin } = instances;
    const { volume } = await admin.call<{ volume: { id: string } }>('volumev3', 'POST', '/volumes', {
      volume: { name: 'foreign', size: 1 },
    });
    const path = `/volumes/${volume.id}`;
    await eventually(async () => {
      const read = await admin.call<{ volume: { status: string } }>('volumev3', 'GET', path);
      return read.volume.status === 'available';
    });
    return { id: volume.id, remove: () => admin.call('volumev3', 'DELETE', path) };
  }
});

function statuses(answers: { status: number }[]): number[] {
  return answers.map(({ status }) => status).toSorted();
}
