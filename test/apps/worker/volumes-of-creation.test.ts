import assert from 'node:assert/strict';
import { overlayMetadata } from '@gateway/libraries';
import type { DeleteStepContext } from '../../../apps/worker/src/sagas/delete-instance/saga.ts';
import {
  findAssociatedResources,
  isOfCreation,
  isOfOtherServer,
} from '../../../apps/worker/src/sagas/delete-instance/steps/look-up.ts';

const server = { id: 'server', created: '2026-01-01T12:00:00Z' };
const limits = { lateCallSeconds: 120, volumeSeconds: 600 };

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
    for (const time of ['2026-01-01T09:36:00.000000', '2026-01-01T12:02:00.000000']) {
      assert.equal(isOfCreation(volume(time), server, limits), true, time);
      assert.equal(isOfCreation(volume(time, ['server']), server, limits), true, time);
    }
  });

  it('is kept if older or younger, such as a restored backup', () => {
    for (const time of ['2026-01-01T09:35:59.000000', '2026-01-01T12:02:01.000000']) {
      assert.equal(isOfCreation(volume(time), server, limits), false, time);
      assert.equal(isOfCreation(volume(time, ['server']), server, limits), false, time);
    }
  });

  it('is kept without a time of its own or of the instance', () => {
    assert.equal(isOfCreation(volume(''), server, limits), false);
    assert.equal(
      isOfCreation(volume('2026-01-01T12:00:00.000000'), { id: 'server', created: '' }, limits),
      false,
    );
  });

  it('is kept if attached elsewhere', () => {
    assert.equal(isOfCreation(volume('2026-01-01T11:59:00.000000', ['other']), server, limits), false);
    assert.equal(isOfCreation(volume('2026-01-01T11:59:00.000000', [null]), server, limits), false);
  });

  it('is kept if it is not known what it is attached to', () => {
    const unknown = { ...volume('2026-01-01T11:59:00.000000'), attachments: null };

    assert.equal(isOfCreation({ ...unknown, status: 'error' }, server, limits), false);
    assert.equal(isOfCreation({ ...unknown, status: 'available' }, server, limits), true);
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

  /** What the look-up finds for this server, with these volumes and shares of the job. */
  async function lookUp(instanceId: string, createdAt: string, volumes: object[], ownVolumeIds: string[]) {
    const none = async () => [];
    const rule = { id: 'rule', metadata: { gateway_project_id: 'p1', gateway_job_id: 'j1' } };
    const owner = {
      blockStorage: { volumes: { list: async () => volumes } },
      lookups: { ports: none, floatingIps: none },
    };
    const service = { sharedFileSystem: { accessRules: { list: async () => [rule] } } };
    const context = {
      instanceId,
      server: {
        createdAt,
        projectId: 'p1',
        volumeIds: ownVolumeIds,
        metadata: { gateway_job_id: 'j1', ...layers },
        readAt: Date.now(),
      },
      config: { jobs: limits, timeLimits: limits, services: { sharedFs: true } },
      since: Date.now(),
      owner: () => owner,
      service: async () => service,
    } as unknown as DeleteStepContext;
    const { associated } = await findAssociatedResources.run(context);
    return [associated?.volumeIds, associated?.creationJobId, associated?.accessRules.length];
  }

  const layers = overlayMetadata({
    libraries: ['library'],
    strategy: 'prebuilt',
    shareIds: ['share'],
    upperVolumeId: 'upper',
  });
  const metadata = { gateway_job_id: 'j1' };
  const copied = { ...metadata, src_backup_id: 'backup' };

  it('is deleted without what the job created for the other', async () => {
    const volumes = [
      { ...volume(boot, ['server']), id: 'boot', metadata },
      { ...volume(data), id: 'detached', metadata },
    ];

    assert.deepEqual(await lookUp('copy', '2026-03-01T12:00:00Z', volumes, ['own']), [['own'], undefined, 0]);
  });

  it('is deleted without volumes that its user restored', async () => {
    const volumes = [
      { ...volume(boot, ['server']), id: 'boot', metadata },
      { ...volume(data), id: 'upper', metadata },
      { ...volume(data), id: 'overwritten', metadata: copied },
      { ...volume(boot, ['server']), id: 'attached', metadata: copied },
      { ...volume(restored), id: 'new', metadata: copied },
    ];

    const [volumeIds] = await lookUp('server', server.created, volumes, ['boot']);

    assert.deepEqual(volumeIds, ['boot', 'upper']);
  });

  it('is no copy because an overwritten, older volume is elsewhere', async () => {
    const volumes = [
      { ...volume('2025-01-01T00:00:00.000000', ['other']), id: 'overwritten', metadata: copied },
      { ...volume(boot, ['server']), id: 'boot', metadata },
    ];

    assert.deepEqual(await lookUp('server', server.created, volumes, []), [['boot'], 'j1', 1]);
  });
});
