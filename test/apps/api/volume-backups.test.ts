import assert from 'node:assert/strict';
import { type Backup, volumeList } from '@gateway/resources';
import { answers, backupOf, MARKED, refuses, VOLUME_ID, volumeOf } from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { cachedBody } from '../../support/cached-body.ts';

interface Restored {
  restore: { backup_id: string; volume_id: string; volume_name: string };
}

const ENCRYPTED = { encrypted: true, volume_type: 'luks' };

const PROJECT = 'os-backup-project-attr:project_id';

describe('GET /api/volumes/backups', () => {
  const suite = apiSuite();

  it('lists the backups, each time anew', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'GET /backups/detail', { backups: [backupOf()] }, { times: 2 });

    await api.get('/api/volumes/backups', { as: caller });
    const answer = await api.get<Backup[]>('/api/volumes/backups', { as: caller });

    assert.deepEqual(answer.body, [
      {
        id: 'backup-1',
        name: 'nightly',
        description: '',
        status: 'available',
        size: 1,
        volume_id: VOLUME_ID,
        volume_name: null,
        is_incremental: false,
        created_at: '2026-11-22T01:59:01Z',
        allowed_actions: ['restore', 'delete'],
      },
    ]);
  });

  it('reads one, but none of another project', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    answers(suite.cloud, 'GET /backups/own', { backup: backupOf({ [PROJECT]: caller.projectId }) });
    answers(
      suite.cloud,
      'GET /backups/foreign',
      { backup: backupOf({ [PROJECT]: OTHER_PROJECT }) },
      { times: 3 },
    );

    const own = await api.get('/api/volumes/backups/own', { as: caller });
    const others = [
      await api.get('/api/volumes/backups/foreign', { as: caller }),
      await api.request('DELETE', '/api/volumes/backups/foreign', { as: caller }),
      await api.post('/api/volumes/backups/foreign/restore', { as: caller, body: {} }),
    ];

    assert.equal(own.status, 200);
    assert.deepEqual(
      others.map(({ status }) => status),
      [404, 404, 404],
    );
  });
});

describe('POST /api/volumes/backups', () => {
  const suite = apiSuite();
  const body = { name: 'nightly', volume_id: VOLUME_ID };

  it('returns the new backup and drops the list of volumes', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'GET /volumes/detail', { volumes: [volumeOf(caller)] });
    await api.get('/api/volumes', { as: caller });
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller) });
    answers(
      suite.cloud,
      'POST /backups',
      { backup: { id: 'backup-1', name: 'nightly' } },
      {
        status: 202,
        requestBody: { backup: { ...body, description: 'two\nlines', force: true, metadata: MARKED } },
      },
    );

    const answer = await api.post('/api/volumes/backups', {
      as: caller,
      body: { ...body, description: 'two\nlines', force: true },
    });

    assert.equal(answer.status, 201);
    assert.deepEqual(answer.body, {
      id: 'backup-1',
      name: 'nightly',
      status: 'creating',
      volume_id: VOLUME_ID,
    });
    assert.equal(await cachedBody(api.context.cache, volumeList.keyFor(caller)), null);
  });

  it('is 409 with the state of a volume in use', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(
      suite.cloud,
      `GET /volumes/${VOLUME_ID}`,
      { volume: volumeOf(caller, { status: 'in-use' }) },
      { times: 2 },
    );
    refuses(
      suite.cloud,
      'POST /backups',
      'Invalid volume: Backing up an in-use volume must use the force flag.',
    );

    const answer = await api.post<ErrorBody>('/api/volumes/backups', { as: caller, body });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
    assert.equal(
      answer.body.detail,
      'The volume cannot be backed up in its state in-use: Backing up an in-use volume must use the force flag.',
    );
  });

  it('is 409 beyond the quota, without reading a state', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller) });
    answers(
      suite.cloud,
      'POST /backups',
      {
        overLimit: {
          code: 413,
          message: 'BackupLimitExceeded: Maximum number of backups allowed (10) exceeded',
        },
      },
      { status: 413, headers: { 'retry-after': '0' } },
    );

    const answer = await api.post<ErrorBody>('/api/volumes/backups', { as: caller, body });

    assert.deepEqual([answer.status, answer.body.code], [409, 'quota_exceeded']);
    assert.match(answer.body.detail, /backups/);
  });

  it('is 404 for a volume of another project', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const volume = volumeOf(caller, { 'os-vol-tenant-attr:tenant_id': OTHER_PROJECT });
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume });

    assert.equal((await api.post('/api/volumes/backups', { as: caller, body })).status, 404);
  });

  for (const [why, invalid] of [
    ['no volume', { name: 'b' }],
    ['no name', { volume_id: VOLUME_ID }],
    ['a path in place of an id', { name: 'b', volume_id: '../x' }],
    ['a text for force', { ...body, force: 'yes' }],
    ['a control character in the description', { ...body, description: '\u0007' }],
  ] as const) {
    it(`is 400 with ${why}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());

      assert.equal((await api.post('/api/volumes/backups', { as: caller, body: invalid })).status, 400);
    });
  }
});

describe('POST /api/volumes/backups/{backup_id}/restore', () => {
  const suite = apiSuite();
  const path = '/api/volumes/backups/backup-1/restore';

  for (const [how, body, backupName, name] of [
    ['named after the backup', {}, 'nightly', 'nightly'],
    ['with a name', { name: 'again' }, 'nightly', 'again'],
    [
      'named after the id of a backup without a name',
      { name: null, volume_id: null },
      '',
      'restore_backup_backup-1',
    ],
  ] as const) {
    it(`makes a new volume ${how}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      answers(suite.cloud, 'GET /backups/backup-1', { backup: backupOf({ size: 3, name: backupName }) });
      answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller) });
      answers(
        suite.cloud,
        'POST /volumes',
        { volume: volumeOf(caller, { id: 'new', name, status: 'creating' }) },
        { status: 202, requestBody: { volume: { name, size: 3, backup_id: 'backup-1', metadata: MARKED } } },
      );

      const answer = await api.post<Restored>(path, { as: caller, body });

      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, {
        restore: { backup_id: 'backup-1', volume_id: 'new', volume_name: name },
      });
    });
  }

  it('takes no body for an empty one', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'GET /backups/backup-1', { backup: backupOf() });
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller) });
    answers(suite.cloud, 'POST /volumes', { volume: volumeOf(caller) }, { status: 202 });

    assert.equal((await api.post(path, { as: caller })).status, 200);
  });

  it('overwrites an existing volume', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'GET /backups/backup-1', { backup: backupOf() });
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller) });
    const restore = { backup_id: 'backup-1', volume_id: VOLUME_ID, volume_name: 'data' };
    answers(
      suite.cloud,
      'POST /backups/backup-1/restore',
      { restore },
      { status: 202, requestBody: { restore: { volume_id: VOLUME_ID } } },
    );

    const answer = await api.post(path, { as: caller, body: { volume_id: VOLUME_ID } });

    assert.deepEqual(answer.body, { restore });
  });

  it('makes a volume of the same type from an encrypted backup', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'GET /backups/backup-1', { backup: backupOf() });
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller, ENCRYPTED) });
    const volume = { name: 'nightly', size: 1, backup_id: 'backup-1', metadata: MARKED, volume_type: 'luks' };
    answers(
      suite.cloud,
      'POST /volumes',
      { volume: volumeOf(caller) },
      { status: 202, requestBody: { volume } },
    );

    assert.equal((await api.post(path, { as: caller })).status, 200);
  });

  it('overwrites no volume of another type with an encrypted backup', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'GET /backups/backup-1', { backup: backupOf() });
    answers(suite.cloud, 'GET /volumes/other', { volume: volumeOf(caller, { id: 'other' }) });
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller, ENCRYPTED) });

    const answer = await api.post<ErrorBody>(path, { as: caller, body: { volume_id: 'other' } });

    assert.equal(answer.status, 409);
    assert.match(answer.body.detail, /the backup is encrypted, so its type has to be luks\.$/);
  });

  for (const [why, status, message] of [
    ['attached', 'in-use', 'Volume to be restored to must be available'],
    ['too small', 'available', 'volume size 1 is too small to restore backup of size 2.'],
  ] as const) {
    it(`is 409 over a volume that is ${why}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      answers(suite.cloud, 'GET /backups/backup-1', { backup: backupOf({ size: 2 }) });
      answers(
        suite.cloud,
        `GET /volumes/${VOLUME_ID}`,
        { volume: volumeOf(caller, { status }) },
        { times: 2 },
      );
      refuses(suite.cloud, 'POST /backups/backup-1/restore', `Invalid volume: ${message}`);

      const answer = await api.post<ErrorBody>(path, { as: caller, body: { volume_id: VOLUME_ID } });

      assert.equal(answer.status, 409);
      assert.ok(answer.body.detail.startsWith(`The volume cannot be overwritten in its state ${status}: `));
    });
  }

  it('is 404 over a volume of another project', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    answers(suite.cloud, 'GET /backups/backup-1', { backup: backupOf({ [PROJECT]: caller.projectId }) });
    const volume = volumeOf(caller, { 'os-vol-tenant-attr:tenant_id': OTHER_PROJECT });
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume });

    const answer = await api.post(path, { as: caller, body: { volume_id: VOLUME_ID } });

    assert.equal(answer.status, 404);
  });

  it('is 409 for a backup in creation, even if found late', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'GET /backups/backup-1', { backup: backupOf({ status: 'creating' }) });
    const seen = await api.post<ErrorBody>(path, { as: caller, body: {} });
    answers(suite.cloud, 'GET /backups/backup-1', { backup: backupOf() });
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller) });
    refuses(
      suite.cloud,
      'POST /volumes',
      "Invalid backup: Originating backup status must be one of 'available' values",
    );
    answers(suite.cloud, 'GET /backups/backup-1', { backup: backupOf({ status: 'deleting' }) });

    const refused = await api.post<ErrorBody>(path, { as: caller, body: {} });

    assert.deepEqual([seen.status, refused.status], [409, 409]);
    assert.match(
      seen.body.detail,
      /in its state creating: it has to be available\. If this state does not end, /,
    );
    assert.match(refused.body.detail, /in its state deleting: .*\. If this state does not end, /);
  });
});

describe('DELETE /api/volumes/backups/{backup_id}', () => {
  const suite = apiSuite();

  const path = '/api/volumes/backups/backup-1';

  for (const [why, differences, reason] of [
    ['it is being made', { status: 'creating' }, 'creating: it has to be available or failed.'],
    ['others depend on it', { has_dependent_backups: true }, 'available: later backups depend on it.'],
  ] as const) {
    it(`is 409 while ${why}, as its row says`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      answers(suite.cloud, 'GET /backups/backup-1', { backup: backupOf(differences) }, { times: 2 });

      const row = await api.get<Backup>(path, { as: caller });
      const answer = await api.request<ErrorBody>('DELETE', path, { as: caller });

      assert.equal(row.body.allowed_actions.includes('delete'), false);
      assert.equal(answer.status, 409);
      assert.ok(answer.body.detail.startsWith(`The backup cannot be deleted in its state ${reason}`));
    });
  }

  it("is 409 with the service's reason if its state changes meanwhile", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'GET /backups/backup-1', { backup: backupOf() }, { times: 2 });
    const message = 'Incremental backups exist for this backup.';
    refuses(suite.cloud, 'DELETE /backups/backup-1', `Invalid backup: ${message}`);

    const answer = await api.request<ErrorBody>('DELETE', path, { as: caller });

    assert.equal(answer.status, 409);
    assert.ok(
      answer.body.detail.startsWith(`The backup cannot be deleted in its state available: ${message}`),
    );
  });
});
