import assert from 'node:assert/strict';
import type { ErrorBody } from '../support/api/client.ts';
import { InstanceStack } from '../support/stacks/instance-stack.ts';

const ACTIONS = [
  'start',
  'stop',
  'reboot',
  'shelve',
  'unshelve',
  'lock',
  'unlock',
  'confirm-resize',
  'revert-resize',
  'unrescue',
];
const MISSING = '00000000-0000-4000-8000-000000000000';

describe('actions on an instance, its console, log and owner', function () {
  this.timeout(300_000);
  let instances: InstanceStack;
  let id: string;

  before(async () => {
    instances = await InstanceStack.start();
    id = await instances.create();
  });

  after(async () => {
    await instances?.delete(id);
    await instances?.removeImages();
    await instances?.stop();
  });

  it('stops a running instance and starts it again', async () => {
    const stopping = await act('stop');
    await instances.untilStatus(id, 'SHUTOFF');
    const starting = await act('start');
    await instances.untilStatus(id, 'ACTIVE');

    assert.deepEqual([stopping.status, stopping.body], [200, { status: 'stopping' }]);
    assert.deepEqual([starting.status, starting.body], [200, { status: 'starting' }]);
  });

  it('reboots a running instance', async () => {
    const answer = await act('reboot');

    assert.deepEqual([answer.status, answer.body], [200, { status: 'rebooting' }]);
    await instances.untilStatus(id, 'ACTIVE');
  });

  it('reboots hard an instance that is stopped', async () => {
    await act('stop');
    await instances.untilStatus(id, 'SHUTOFF');
    const answer = await instances.ask('POST', `${id}/reboot`, { type: 'hard' });

    assert.deepEqual([answer.status, answer.body], [200, { status: 'rebooting' }], answer.text);
    await instances.untilStatus(id, 'ACTIVE');
  });

  it('renames an instance', async () => {
    const before = await instances.ask<{ name: string }>('GET', id);
    const renamed = await instances.ask<{ name: string }>('PUT', id, { name: 'renamed ✓' });
    const listed = await instances.gateway.read<{ id: string; name: string }[]>('/api/instances');
    await instances.ask('PUT', id, { name: before.body.name });

    assert.deepEqual([renamed.status, renamed.body.name], [200, 'renamed ✓'], renamed.text);
    assert.equal(listed.find((row) => row.id === id)?.name, 'renamed ✓');
  });

  it('protects a locked instance from actions and deletion', async () => {
    const locked = await instances.ask('POST', `${id}/lock`, { reason: 'In production' });
    const shown = await instances.ask<{ locked: boolean; locked_reason: string }>('GET', id);
    const stopped = await act('stop');
    const deleted = await instances.ask<ErrorBody>('DELETE', id);
    const unlocked = await act('unlock');
    const after = await instances.ask<{ locked: boolean }>('GET', id);

    assert.deepEqual([locked.status, unlocked.status], [204, 204], locked.text + unlocked.text);
    assert.deepEqual([shown.body.locked, shown.body.locked_reason], [true, 'In production']);
    assert.deepEqual([stopped.status, stopped.body.code], [409, 'conflict']);
    assert.match(stopped.body.detail, /is locked/);
    assert.deepEqual(
      [deleted.status, deleted.body.detail],
      [409, 'The instance cannot be deleted: it is locked.'],
    );
    assert.equal(after.body.locked, false);
  });

  it('lets members not end the lock of an administrator', async () => {
    const lock = (action: string) =>
      instances.admin.call('compute', 'POST', `/servers/${id}/action`, { [action]: null });
    await lock('lock');
    const refused = await act('unlock');
    await lock('unlock');

    assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden'], refused.text);
  });

  it('gives an instance another flavor, and the old one back or not', async () => {
    const flavors =
      await instances.gateway.read<{ id: string; name: string; vcpus: number }[]>('/api/flavors');
    const before = (await instances.ask<{ flavor_id: string }>('GET', id)).body.flavor_id;
    const other = flavors.find(({ name }) => name === 'm1.small')?.id ?? '';
    const flavorNow = async () => (await instances.ask<{ flavor_id: string }>('GET', id)).body.flavor_id;
    const resize = (flavor_id: string) => instances.ask<ErrorBody>('POST', `${id}/resize`, { flavor_id });

    const resized = await resize(other);
    await instances.untilStatus(id, 'VERIFY_RESIZE');
    const refused = await act('stop');
    const reverted = await act('revert-resize');
    await instances.untilStatus(id, 'ACTIVE');
    const restored = await flavorNow();
    await resize(other);
    await instances.untilStatus(id, 'VERIFY_RESIZE');
    const confirmed = await act('confirm-resize');
    await instances.untilStatus(id, 'ACTIVE');

    assert.deepEqual([resized.status, resized.body], [200, { status: 'resizing' }], resized.text);
    assert.deepEqual([refused.status, reverted.status, confirmed.status], [409, 200, 200]);
    assert.deepEqual([restored, await flavorNow()], [before, other]);
    assert.equal((await resize(other)).status, 400);
    assert.equal((await resize(MISSING)).status, 400);
    assert.equal((await act('confirm-resize')).status, 409);
    await resize(before);
    await instances.untilStatus(id, 'VERIFY_RESIZE');
    await act('confirm-resize');
    await instances.untilStatus(id, 'ACTIVE');
  });

  it('fills the boot volume of an instance from an image', async () => {
    const images = await instances.gateway.read<{ id: string; name: string }[]>('/api/images');
    const image_id = images.find(({ name }) => name === 'debian-12')?.id;

    const rebuilt = await instances.ask('POST', `${id}/rebuild`, { image_id });
    await instances.untilStatus(id, 'ACTIVE');

    assert.deepEqual([rebuilt.status, rebuilt.body], [200, { status: 'rebuilding' }], rebuilt.text);
    assert.equal((await instances.ask('POST', `${id}/rebuild`, { image_id: MISSING })).status, 400);
  });

  it('rescues an instance with an image that says how', async () => {
    const images = await instances.gateway.read<{ id: string; name: string }[]>('/api/images');
    const image_id = images.find(({ name }) => name === 'debian-12')?.id;
    const refused = await instances.ask<ErrorBody>('POST', `${id}/rescue`, { image_id });
    const rescuing = await instances.makeRescueImage();

    const rescued = await instances.ask('POST', `${id}/rescue`, { image_id: rescuing });

    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_input']);
    assert.deepEqual([rescued.status, rescued.body], [200, { status: 'rescuing' }], rescued.text);
    await instances.untilStatus(id, 'RESCUE');
    assert.equal((await act('stop')).status, 409);
    const ended = await act('unrescue');
    await instances.untilStatus(id, 'ACTIVE');
    assert.deepEqual([ended.status, ended.body], [200, { status: 'unrescuing' }], ended.text);
  });

  it('shelves and restores an instance', async () => {
    const shelved = await act('shelve');
    await instances.untilStatus(id, 'SHELVED_OFFLOADED');
    const unshelved = await act('unshelve');
    await instances.untilStatus(id, 'ACTIVE');

    assert.deepEqual([shelved.status, shelved.text], [204, '']);
    assert.deepEqual([unshelved.status, unshelved.text], [204, '']);
  });

  it('refuses a second action while the first is running, with the task', async () => {
    const answers = await Promise.all([act('stop'), act('stop'), act('stop')]);
    await instances.untilStatus(id, 'SHUTOFF');
    const shutOff = await read('console');
    await act('start');
    await instances.untilStatus(id, 'ACTIVE');

    const statuses = answers.map(({ status }) => status);
    assert.ok(statuses.includes(200), `${statuses}`);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      assert.equal(status, 409);
      assert.match(body.detail, /its status is (ACTIVE and its task state is powering-off|SHUTOFF)/);
    }
    assert.equal(shutOff.status, 409);
    assert.match(shutOff.body.detail, /its status is SHUTOFF/);
  });

  it('shows an action in the list at once', async () => {
    await instances.gateway.read('/api/instances');

    await act('stop');

    const list =
      await instances.gateway.read<{ id: string; status: string; task_state: string }[]>('/api/instances');
    const row = list.find((instance) => instance.id === id);
    assert.match(`${row?.status} ${row?.task_state}`, /powering-off|SHUTOFF/);
    await instances.untilStatus(id, 'SHUTOFF');
    await act('start');
    await instances.untilStatus(id, 'ACTIVE');
  });

  it('opens a console, which nothing may store', async () => {
    const answer = await instances.ask<{ url: string; type: string }>('GET', `${id}/console`);

    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.type, 'novnc');
    assert.match(answer.body.url, /^https?:\/\/.*token/);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  });

  it('reads the last lines of the log, or the whole log', async () => {
    const [last, whole, defaulted] = await Promise.all([log('?length=1'), log('?length=0'), log('')]);

    assert.ok(whole.length > 1, `${whole}`);
    assert.deepEqual(last, whole.slice(-1));
    assert.deepEqual(defaulted, whole.slice(-100));
  });

  it('names the owner', async () => {
    const { cloud, login } = instances.project;

    const answer = await instances.ask('GET', `${id}/owner`);

    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, {
      user_id: cloud.userId,
      user_name: login.username,
      project_id: cloud.projectId,
      project_name: login.projectName,
    });
  });

  it('is 404 for other projects', async () => {
    for (const action of ACTIONS) await instances.assertHidden('POST', `${id}/${action}`);
    for (const [action, body] of Object.entries({
      resize: { flavor_id: MISSING },
      rebuild: { image_id: MISSING },
      rescue: { image_id: MISSING },
    })) {
      await instances.assertHidden('POST', `${id}/${action}`, body);
    }
    await instances.assertHidden('PUT', id, { name: 'theirs' });
    for (const resource of ['console', 'log', 'owner']) {
      await instances.assertHidden('GET', `${id}/${resource}`);
    }
  });

  function act(action: string) {
    return instances.ask<ErrorBody>('POST', `${id}/${action}`);
  }

  function read(resource: string) {
    return instances.ask<ErrorBody>('GET', `${id}/${resource}`);
  }

  async function log(query: string): Promise<string[]> {
    const answer = await instances.ask<{ log: string }>('GET', `${id}/log${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.log.split('\n');
  }
});
