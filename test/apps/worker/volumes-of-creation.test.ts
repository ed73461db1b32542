import assert from 'node:assert/strict';
import type { DeleteStepContext } from '../../../apps/worker/src/sagas/delete-instance/saga.ts';
import {
  findAssociatedResources,
  isOfCreation,
  isOfOtherServer,
} from '../../../apps/worker/src/sagas/delete-instance/steps/look-up.ts';

const server = { id: 'server', created: '2026-01-01T12:00:00Z' };

function volume(created_at: string, serverIds: (string | null)[] = []) {
  const attachments = serverIds.map((server_id) => ({
    attachment_id: 'a-1',
    server_id,
    host_name: server_id === null ? 'ctl-1' : null,
    device: '',
  }));
  return { created_at, attachments, status: serverIds.length === 0 ? 'available' : 'in-use' };
}

describe('a volume marked with the job of an instance', () => {
  it('is deleted with the instance if created by its creation', () => {
    for (const time of ['2026-01-01T11:59:00.000000', '2026-01-01T12:02:00.000000']) {
      assert.equal(isOfCreation(volume(time), server, 120), true, time);
    }
  });

  it('is kept if it was created later, such as a restored backup', () => {
    assert.equal(isOfCreation(volume('2026-01-01T12:02:01.000000'), server, 120), false);
    assert.equal(isOfCreation(volume('2026-03-01T12:00:00.000000'), server, 120), false);
  });

  it('is kept without a time of its own or of the instance', () => {
    assert.equal(isOfCreation(volume(''), server, 120), false);
    assert.equal(
      isOfCreation(volume('2026-01-01T12:00:00.000000'), { id: 'server', created: '' }, 120),
      false,
    );
  });

  it('is deleted if attached to the instance, and kept if attached elsewhere', () => {
    assert.equal(isOfCreation(volume('2026-03-01T12:00:00.000000', ['server']), server, 120), true);
    assert.equal(isOfCreation(volume('2026-01-01T11:59:00.000000', ['other']), server, 120), false);
    assert.equal(isOfCreation(volume('2026-01-01T11:59:00.000000', [null]), server, 120), false);
  });

  it('is kept if it is not known what it is attached to', () => {
    const unknown = { ...volume('2026-01-01T11:59:00.000000'), attachments: null };

    assert.equal(isOfCreation({ ...unknown, status: 'error' }, server, 120), false);
    assert.equal(isOfCreation({ ...unknown, status: 'available' }, server, 120), true);
  });
});

describe('an instance with the mark of a job', () => {
  const boot = '2026-01-01T11:59:00.000000';
  const data = '2026-01-01T11:59:30.000000';
  const restored = '2026-01-01T13:00:00.000000';

  it('is that of the job, wherever its other volumes are attached', () => {
    assert.equal(isOfOtherServer([volume(boot, ['server']), volume(data, ['other'])], server), false);
    assert.equal(isOfOtherServer([volume(restored, ['other'])], server), false);
    assert.equal(isOfOtherServer([volume(boot), volume(data)], server), false);
    assert.equal(isOfOtherServer([volume(''), volume('', ['other'])], server), false);
  });

  it("has a copy if another one has the job's first volume", () => {
    const copy = { id: 'copy', created: '2026-03-01T12:00:00Z' };

    assert.equal(isOfOtherServer([volume(restored, ['copy']), volume(boot, ['server'])], copy), true);
  });

  it('is deleted without what the job created for the other', async () => {
    const metadata = { gateway_job_id: 'j1' };
    const volumes = [
      { ...volume(boot, ['server']), id: 'boot', metadata },
      { ...volume(data), id: 'detached', metadata },
    ];
    const none = async () => [];
    const owner = {
      blockStorage: { volumes: { list: async () => volumes } },
      lookups: { ports: none, floatingIps: none },
    };
    const context = {
      instanceId: 'copy',
      server: {
        createdAt: '2026-03-01T12:00:00Z',
        projectId: 'p1',
        volumeIds: ['own'],
        metadata,
        readAt: Date.now(),
      },
      config: { jobs: { lateCallSeconds: 120 } },
      since: Date.now(),
      owner: () => owner,
    } as unknown as DeleteStepContext;

    const { associated } = await findAssociatedResources.run(context);

    assert.deepEqual([associated?.volumeIds, associated?.creationJobId], [['own'], undefined]);
  });
});
