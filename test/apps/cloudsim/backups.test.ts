import assert from 'node:assert/strict';
import { type ApiResponse, type Client, startTestCloud, type TestCloud } from './client.ts';

const VERSION = { 'OpenStack-API-Version': 'volume 3.59' };

describe('simulated backups of volumes', () => {
  let cloud: TestCloud;
  let demo: Client;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
  });
  afterEach(() => cloud.close());

  function call(method: string, path: string, body?: unknown, who = demo): Promise<ApiResponse> {
    return who.call(method, `/volume/v3/${who.projectId}${path}`, body, VERSION);
  }

  async function makeVolume(size = 1): Promise<string> {
    const made = await call('POST', '/volumes', { volume: { size } });
    cloud.clock.advance(1000);
    return made.body.volume.id;
  }

  function backUp(volume_id: string, options: object = {}): Promise<ApiResponse> {
    return call('POST', '/backups', { backup: { volume_id, name: 'b', ...options } });
  }

  async function makeBackup(volumeId: string, options: object = {}): Promise<string> {
    const made = await backUp(volumeId, options);
    cloud.clock.advance(1000);
    return made.body.backup.id;
  }

  async function statusesOf(volumeId: string, backupId: string): Promise<string[]> {
    const [volume, backup] = [
      await call('GET', `/volumes/${volumeId}`),
      await call('GET', `/backups/${backupId}`),
    ];
    return [volume.body.volume.status, backup.body.backup.status];
  }

  it('are creating, while the volume is backing-up, then available with their metadata', async () => {
    const volumeId = await makeVolume();
    const made = await backUp(volumeId, { metadata: { purpose: 'test' } });
    const { id } = made.body.backup;
    const meanwhile = await statusesOf(volumeId, id);
    cloud.clock.advance(1000);

    const { backups } = (await call('GET', `/backups/detail?volume_id=${volumeId}`)).body;

    assert.deepEqual(Object.keys(made.body.backup), ['id', 'name', 'links']);
    assert.deepEqual(meanwhile, ['backing-up', 'creating']);
    assert.deepEqual(await statusesOf(volumeId, id), ['available', 'available']);
    assert.deepEqual([backups.length, backups[0].metadata], [1, { purpose: 'test' }]);
  });

  it('are made of a volume in use only by force', async () => {
    const volumeId = await makeVolume();
    const volume = cloud.cloud.blockStorage.volumes.get(volumeId);
    assert.ok(volume);
    volume.status = 'in-use';

    const refused = await backUp(volumeId);
    const forced = await backUp(volumeId, { force: true });

    assert.equal(refused.status, 400);
    assert.match(refused.body.badRequest.message, /^Invalid volume: .* must use the force flag\.$/);
    assert.equal(forced.status, 202);
  });

  it('cannot be deleted in creation or with dependent incremental backups', async () => {
    const volumeId = await makeVolume();
    const made = await backUp(volumeId);
    const first = made.body.backup.id;
    const tooEarly = await call('DELETE', `/backups/${first}`);
    cloud.clock.advance(1000);
    const second = await makeBackup(volumeId, { incremental: true });

    const refused = await call('DELETE', `/backups/${first}`);
    const deleted = await call('DELETE', `/backups/${second}`);
    cloud.clock.advance(1000);

    assert.match(
      tooEarly.body.badRequest.message,
      /^Invalid backup: Backup status must be available or error/,
    );
    assert.match(refused.body.badRequest.message, /^Invalid backup: Incremental backups exist/);
    assert.equal(deleted.status, 202);
    assert.equal((await call('DELETE', `/backups/${first}`)).status, 202);
    cloud.clock.advance(1000);
    assert.equal((await call('GET', `/backups/${first}`)).status, 404);
  });

  it('show dependents that exist, and need a parent that does', async () => {
    const volumeId = await makeVolume();
    const without = await backUp(volumeId, { incremental: true });
    const first = await makeBackup(volumeId);
    const shown = async (id: string) => (await call('GET', `/backups/${id}`)).body.backup;
    const second = (await backUp(volumeId, { incremental: true })).body.backup.id;
    const meanwhile = await shown(first);
    const early = await call('DELETE', `/backups/${first}`);
    const unavailable = await backUp(await makeVolume(), { incremental: true });
    cloud.clock.advance(1000);

    assert.match(without.body.badRequest.message, /No backups available to do an incremental backup/);
    assert.match(unavailable.body.badRequest.message, /No backups available/);
    assert.equal(meanwhile.has_dependent_backups, false);
    assert.equal(early.status, 400);
    assert.equal((await shown(first)).has_dependent_backups, true);
    assert.deepEqual(
      [(await shown(second)).is_incremental, (await shown(second)).status],
      [true, 'available'],
    );
  });

  it('fail as incremental ones of a volume that has grown', async () => {
    const volumeId = await makeVolume();
    await makeBackup(volumeId);
    await call('POST', `/volumes/${volumeId}/action`, { 'os-extend': { new_size: 2 } });
    cloud.clock.advance(1000);

    const incremental = await makeBackup(volumeId, { incremental: true });

    assert.deepEqual(await statusesOf(volumeId, incremental), ['available', 'error']);
    const refused = await backUp(volumeId, { incremental: true });
    assert.match(refused.body.badRequest.message, /The parent backup must be available/);
  });

  it('are restored into a new or large enough volume', async () => {
    const backupId = await makeBackup(await makeVolume(2));
    const [small, large] = [await makeVolume(1), await makeVolume(2)];
    const restore = (target: object) => call('POST', `/backups/${backupId}/restore`, { restore: target });

    const tooSmall = await restore({ volume_id: small });
    const over = await restore({ volume_id: large });
    const meanwhile = await statusesOf(large, backupId);
    cloud.clock.advance(1000);
    const fresh = await call('POST', '/volumes', { volume: { backup_id: backupId, name: 'new' } });
    const ofFresh = await statusesOf(fresh.body.volume.id, backupId);
    cloud.clock.advance(1000);

    assert.match(tooSmall.body.badRequest.message, /too small to restore backup of size 2/);
    assert.equal(over.body.restore.volume_id, large);
    assert.deepEqual(meanwhile, ['restoring-backup', 'restoring']);
    assert.equal(fresh.body.volume.size, 2);
    assert.deepEqual(ofFresh, ['creating', 'restoring']);
    assert.deepEqual(await statusesOf(fresh.body.volume.id, backupId), ['available', 'available']);
  });

  it('bring back the metadata of their volume, and say which they are', async () => {
    const make = async (volume: object): Promise<string> => {
      const { body } = await call('POST', '/volumes', { volume: { size: 1, ...volume } });
      cloud.clock.advance(1000);
      return body.volume.id;
    };
    const restore = async (backupId: string, volume_id?: string): Promise<[string, object]> => {
      const { body } = await call('POST', `/backups/${backupId}/restore`, { restore: { volume_id } });
      cloud.clock.advance(1000);
      const { volume } = (await call('GET', `/volumes/${body.restore.volume_id}`)).body;
      return [volume.name, volume.metadata];
    };
    const source = await make({ name: 'source', metadata: { from: 'source' } });
    const marked = await makeBackup(source);
    const bare = await makeBackup(await make({ name: 'bare' }));
    const target = await make({ name: 'target', metadata: { own: 'target' } });
    const noted = { from: 'source', src_backup_id: marked };

    assert.deepEqual(await restore(bare, target), ['target', { own: 'target', src_backup_id: bare }]);
    assert.deepEqual(await restore(marked, target), ['target', noted]);
    assert.deepEqual(await restore(marked), ['source', noted]);
    assert.deepEqual(await restore(marked, source), ['source', { from: 'source' }]);
  });

  it('count against quotas of their own', async () => {
    const volumeId = await makeVolume(2);
    const admin = await cloud.as('admin');
    const limit = (quota_set: object) =>
      call('PUT', `/os-quota-sets/${demo.projectId}`, { quota_set }, admin);

    await limit({ backups: 0 });
    const tooMany = await backUp(volumeId);
    await limit({ backups: 10, backup_gigabytes: 1 });
    const tooLarge = await backUp(volumeId);

    assert.equal(tooMany.status, 413);
    assert.match(tooMany.body.overLimit.message, /Maximum number of backups allowed \(0\) exceeded/);
    assert.match(
      tooLarge.body.overLimit.message,
      /allowed Backup gigabytes quota\. Requested 2G, quota is 1G/,
    );
  });

  it('belong to their project, which only administrators see', async () => {
    const backupId = await makeBackup(await makeVolume());
    const [alice, admin] = [await cloud.as('alice'), await cloud.as('admin')];
    const path = `/backups/${backupId}`;

    assert.equal((await call('GET', path, undefined, alice)).status, 404);
    assert.equal((await call('GET', path)).body.backup['os-backup-project-attr:project_id'], undefined);
    const shown = (await call('GET', path, undefined, admin)).body.backup;
    assert.equal(shown['os-backup-project-attr:project_id'], demo.projectId);
    assert.deepEqual((await call('GET', '/backups/detail', undefined, admin)).body.backups, []);
  });
});
