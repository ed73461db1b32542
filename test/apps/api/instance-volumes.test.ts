import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import type { TestCaller } from '../../support/api/factories.ts';
import { assertConflict, startWithCaller } from '../../support/api/refusals.ts';
import { type ApiSuite, apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixture, fixtureBody } from '../../support/doubles/upstream.ts';

const server = fixtureBody<{ id: string; metadata: object }>('compute/server', 'server');
const attachment = fixtureBody<{ volumeId: string; device: string }>(
  'compute/volume-attach',
  'volumeAttachment',
);
const volumeId = attachment.volumeId;
const recordedVolume = fixtureBody<{ id: string }>('block-storage/volume', 'volume');
const available = { ...recordedVolume, id: volumeId, name: 'data', status: 'available', attachments: [] };
const volumePath = fixture('block-storage/volume').request.path.replace(recordedVolume.id, volumeId);
const attachmentPath = `${fixture('compute/volume-attach').request.path}/${volumeId}`;
const path = `/api/instances/${server.id}/volumes`;

describe('POST /api/instances/{instance_id}/volumes', () => {
  const suite = apiSuite();

  it('attaches the volume so that it stays when the instance is deleted', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server');
    replyVolume(suite, {});
    suite.cloud.reply('compute/volume-attach', {
      requestBody: { volumeAttachment: { volumeId, delete_on_termination: false } },
      body: { volumeAttachment: { ...attachment, delete_on_termination: false } },
    });
    replyVolume(suite, { status: 'reserved' });

    const answer = await attach(api, caller);

    assert.equal(answer.status, 201);
    assert.deepEqual(answer.body, {
      id: volumeId,
      volume_id: volumeId,
      server_id: server.id,
      server_name: 'record-plain',
      device: attachment.device,
      name: 'data',
      size: 1,
      status: 'reserved',
      delete_on_termination: false,
    });
  });

  for (const body of [{}, { volume_id: 5 }, { volume_id: '../x' }]) {
    it(`is 400 before any call for ${JSON.stringify(body)}`, async () => {
      const { api, caller } = await startWithCaller(suite);

      const answer = await api.post<ErrorBody>(path, { as: caller, body });

      const fields = answer.body.errors?.map(({ field }) => field);
      assert.deepEqual([answer.status, fields], [400, ['body.volume_id']]);
    });
  }

  it('is 409 with the status of an unavailable volume, without a call', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server');
    replyVolume(suite, { status: 'error' });

    assertConflict(await attach(api, caller), /its status is error, not available/);
  });

  for (const status of ['creating', 'downloading', 'detaching']) {
    it(`is 409 with the status if a volume stays ${status}`, async () => {
      const settings = { time_limits: { volume_ready_seconds: 0 } };
      const { api, caller } = await startWithCaller(suite, {}, { settings });
      suite.cloud.reply('compute/server');
      replyVolume(suite, { status });

      assertConflict(await attach(api, caller), new RegExp(`its status is ${status}, not available`));
    });
  }

  it('waits for a volume that is being created, copied or detached', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server');
    for (const status of ['creating', 'downloading', 'detaching', 'available'])
      replyVolume(suite, { status });
    suite.cloud.reply('compute/volume-attach', { body: { volumeAttachment: attachment } });
    replyVolume(suite, { status: 'reserved' });

    assert.equal((await attach(api, caller)).status, 201);
  });

  it("is 404 for another project's volume, even for an administrator", async () => {
    const { api, caller } = await startWithCaller(suite, { roles: ['admin'] });
    suite.cloud.reply('compute/server');
    replyVolume(suite, { 'os-vol-tenant-attr:tenant_id': 'another-project' });

    assert.equal((await attach(api, caller)).status, 404);
  });

  it("is 409 with the volume's new status after the service's refusal", async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server');
    replyVolume(suite, {});
    refuse(suite, 400, 'Invalid volume: volume is not available');
    replyVolume(suite, { status: 'in-use' });

    assertConflict(
      await attach(api, caller),
      /its status is in-use, and the compute service says: Invalid volume/,
    );
  });

  it('is 404 for a volume that was deleted meanwhile', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server');
    replyVolume(suite, {});
    refuse(suite, 400, 'Invalid volume');
    suite.cloud.reply('block-storage/volume-not-found', { path: volumePath });

    assert.equal((await attach(api, caller)).status, 404);
  });

  it('is 409 for an instance that can have no more disks', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server');
    replyVolume(suite, {});
    refuse(suite, 403, 'The maximum allowed number of disk devices (26) to attach to a single instance');
    suite.cloud.reply('compute/server');

    assertConflict(
      await attach(api, caller),
      /its status is ACTIVE, and the compute service says: The maximum/,
    );
  });

  it('is 403 for a caller whose role does not allow it', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server');
    replyVolume(suite, {});
    refuse(suite, 403, "Policy doesn't allow os_compute_api:os-volumes-attachments:create to be performed.");

    assert.equal((await attach(api, caller)).status, 403);
  });
});

describe('DELETE /api/instances/{instance_id}/volumes/{volume_id}', () => {
  const suite = apiSuite();

  it('is 409 for the upper volume of a layered instance, without calls', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server', {
      body: { server: { ...server, metadata: { overlay_upper_volume_id: volumeId } } },
    });

    assertConflict(await detach(api, caller), /the writable layer of the instance's libraries/);
  });

  it('is 409 for the boot volume', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server').reply('compute/boot-volume-detach', { path: attachmentPath });

    assertConflict(await detach(api, caller), /^The boot volume of an instance cannot be detached\.$/);
  });

  it('is 409 with the status of a partly attached volume', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server').reply('compute/boot-volume-detach', {
      path: attachmentPath,
      body: { badRequest: { code: 400, message: 'Invalid volume: Invalid input received' } },
    });
    replyVolume(suite, { status: 'attaching' });

    assertConflict(await detach(api, caller), /its status is attaching, .*\. If this state does not end, /);
  });

  it('is 404 for a volume that the instance does not have', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server');

    const answer = await api.request<ErrorBody>('DELETE', `${path}/another-1`, { as: caller });

    assert.deepEqual([answer.status, answer.body.detail], [404, 'The instance has no such volume.']);
  });
});

describe('GET /api/instances/{instance_id}/volumes', () => {
  const suite = apiSuite();

  it('leaves out a volume that was deleted meanwhile', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud
      .reply('compute/server')
      .reply('compute/volume-attachments')
      .reply('block-storage/volumes', { body: { volumes: [] } });

    const answer = await api.get(path, { as: caller });

    assert.deepEqual([answer.status, answer.body], [200, []]);
  });
});

function attach(api: TestApi, caller: TestCaller) {
  return api.post<ErrorBody>(path, { as: caller, body: { volume_id: volumeId } });
}

function detach(api: TestApi, caller: TestCaller) {
  return api.request<ErrorBody>('DELETE', `${path}/${volumeId}`, { as: caller });
}

function replyVolume(suite: ApiSuite, differences: object): void {
  suite.cloud.reply('block-storage/volume', {
    path: volumePath,
    body: { volume: { ...available, ...differences } },
  });
}

/** The compute service refuses to attach the volume. */
function refuse(suite: ApiSuite, status: number, message: string): void {
  suite.cloud.reply('compute/volume-attach', { status, body: { refused: { code: status, message } } });
}
