import assert from 'node:assert/strict';
import { type Volume, volumeList } from '@gateway/resources';
import {
  answers,
  MARKED,
  refuses,
  storageCalls,
  VOLUME_ID,
  volumeOf,
} from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT } from '../../support/api/factories.ts';
import { cacheTtl } from '../../support/api/stored-data.ts';
import { apiSuite } from '../../support/api/suite.ts';

const PATH = `/volumes/${VOLUME_ID}`;
const NOT_DELETABLE =
  'Invalid volume: Volume status must be available or error or error_restoring or error_extending or error_managing and must not be migrating, attached, belong to a group, have snapshots, awaiting a transfer, or be disassociated from snapshots after volume transfer.';

describe('GET /api/volumes', () => {
  const suite = apiSuite();

  it('lists all pages of the volumes, 5,000 of them', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const volumes = Array.from({ length: 5000 }, (_, index) => volumeOf(caller, { id: `volume-${index}` }));
    for (let start = 0; start < 5000; start += 1000) {
      const marker = start === 0 ? '' : `?marker=volume-${start - 1}`;
      const next = `http://cloud/v3/x/volumes/detail?marker=volume-${start + 999}`;
      answers(suite.cloud, `GET /volumes/detail${marker}`, {
        volumes: volumes.slice(start, start + 1000),
        ...(start < 4000 && { volumes_links: [{ rel: 'next', href: next }] }),
      });
    }

    const answer = await api.get<Volume[]>('/api/volumes', { as: caller });

    assert.deepEqual(
      answer.body.map(({ id }) => id),
      volumes.map(({ id }) => id),
    );
  });

  it('has empty texts, not null, where the service has none', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const attachment = { server_id: 's', host_name: 'compute-1', device: null };
    answers(suite.cloud, 'GET /volumes/detail', {
      volumes: [
        volumeOf(caller, {
          name: null,
          description: null,
          volume_type: null,
          availability_zone: null,
          attachments: [attachment],
        }),
      ],
    });

    const { body } = await api.get<Volume[]>('/api/volumes', { as: caller });

    const [{ name, description, volume_type, availability_zone, attachments }] = body as [Volume];
    assert.deepEqual([name, description, volume_type, availability_zone], ['', '', '', '']);
    assert.deepEqual(attachments, [{ server_id: 's', server_name: null, host_name: null, device: '' }]);
  });

  it('has the metadata without marks, and what the volume is like', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const marks = { gateway_request: 'r', gateway_job_id: 'j', gateway_keep_volume: 'true' };
    const metadata = { purpose: 'data', ...marks };
    const usual = volumeOf(caller, { metadata: null, encrypted: null, multiattach: undefined });
    answers(suite.cloud, 'GET /volumes/detail', {
      volumes: [
        volumeOf(caller, { metadata, encrypted: true, multiattach: true }),
        { ...usual, id: 'usual' },
      ],
    });

    const { body } = await api.get<Volume[]>('/api/volumes', { as: caller });

    assert.deepEqual(
      body.map((volume) => [volume.metadata, volume.encrypted, volume.multiattach]),
      [
        [{ purpose: 'data' }, true, true],
        [{}, false, false],
      ],
    );
  });

  for (const [status, ttl] of [
    ['available', 15],
    ['awaiting-transfer', 15],
    ['creating', 1],
    ['backing-up', 1],
    ['restoring-backup', 1],
    ['deleting', 1],
  ] as const) {
    it(`is cached for ${ttl} s with a volume that is ${status}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      const volume = volumeOf(caller, { status, updated_at: new Date().toISOString() });
      answers(suite.cloud, 'GET /volumes/detail', { volumes: [volume] });

      await api.get('/api/volumes', { as: caller });

      assert.equal(await cacheTtl(api, volumeList, caller), ttl);
    });
  }
});

describe('GET /api/volumes/{volume_id}', () => {
  const suite = apiSuite();

  it("is 404 for another project's volume, even for an administrator", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const volume = volumeOf(caller, { 'os-vol-tenant-attr:tenant_id': OTHER_PROJECT });
    answers(suite.cloud, `GET ${PATH}`, { volume });

    const answer = await api.get<ErrorBody>(`/api${PATH}`, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
  });

  it('serves a volume whose project the cloud hides from members', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { 'os-vol-tenant-attr:tenant_id': _, ...volume } = volumeOf(caller);
    answers(suite.cloud, `GET ${PATH}`, { volume });

    assert.equal((await api.get<Volume>(`/api${PATH}`, { as: caller })).body.id, volume.id);
  });

  for (const [method, path] of [
    ['GET', '/api/volumes/detail'],
    ['DELETE', '/api/volumes/summary'],
    ['GET', '/api/volumes/backups/detail'],
    ['GET', '/api/volume-snapshots/detail'],
    ['DELETE', '/api/volumes/transfer/detail'],
  ] as const) {
    it(`does not take a path's word for an id: ${method} ${path}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());

      const answer = await api.request(method, path, { as: caller });

      assert.equal(answer.status, 404);
      assert.deepEqual(storageCalls(suite.cloud), []);
    });
  }

  for (const [method, path] of [
    ['DELETE', '/api/volumes/backups'],
    ['DELETE', '/api/volumes/transfers'],
    ['POST', '/api/volumes/backups/force-delete'],
    ['POST', '/api/volumes/backups/transfer'],
  ] as const) {
    it(`does not match paths of backups and transfers: ${method} ${path} is 405`, async () => {
      const api = await suite.start();

      assert.equal((await api.request(method, path, { as: newCaller() })).status, 405);
    });
  }
});

describe('POST /api/volumes', () => {
  const suite = apiSuite();

  it('creates a volume and drops the list', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'GET /volumes/detail', { volumes: [] });
    await api.get('/api/volumes', { as: caller });
    const { 'os-vol-tenant-attr:tenant_id': _, ...created } = volumeOf(caller, { status: 'creating' });
    answers(
      suite.cloud,
      'POST /volumes',
      { volume: created },
      {
        status: 202,
        requestBody: { volume: { name: 'data', size: 3, availability_zone: 'nova', metadata: MARKED } },
      },
    );
    answers(suite.cloud, 'GET /volumes/detail', { volumes: [volumeOf(caller)] });

    const answer = await api.post<Volume>('/api/volumes', {
      as: caller,
      body: { name: 'data', size_gb: 3, availability_zone: 'nova' },
    });

    assert.deepEqual([answer.status, answer.body.status], [201, 'creating']);
    assert.equal((await api.get<Volume[]>('/api/volumes', { as: caller })).body.length, 1);
  });

  for (const [why, body] of [
    ['no name', { size_gb: 1 }],
    ['a blank name', { name: ' ', size_gb: 1 }],
    ['a name that is too long', { name: 'n'.repeat(256), size_gb: 1 }],
    ['no size', { name: 'v' }],
    ['a size of 0', { name: 'v', size_gb: 0 }],
    ['a size that is a text', { name: 'v', size_gb: '5' }],
    ['half a GB', { name: 'v', size_gb: 1.5 }],
    ['a zone that is not a text', { name: 'v', size_gb: 1, availability_zone: 7 }],
  ] as const) {
    it(`is 400 with ${why}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());

      const answer = await api.post<ErrorBody>('/api/volumes', { as: caller, body });

      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_input']);
    });
  }

  it('is 409 beyond the quota', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('block-storage/volume-quota');

    const answer = await api.post<ErrorBody>('/api/volumes', {
      as: caller,
      body: { name: 'v', size_gb: 60_000 },
    });

    assert.deepEqual([answer.status, answer.body.code], [409, 'quota_exceeded']);
    assert.match(answer.body.detail, /gigabytes/);
  });

  it('is limited per minute', async () => {
    const api = await suite.start({ settings: { rate_limits: { volume_create: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'POST /volumes', { volume: volumeOf(caller) }, { status: 202 });
    const body = { name: 'v', size_gb: 1 };

    assert.equal((await api.post('/api/volumes', { as: caller, body })).status, 201);
    assert.equal((await api.post('/api/volumes', { as: caller, body })).status, 429);
  });
});

describe('DELETE /api/volumes/{volume_id}', () => {
  const suite = apiSuite();

  it('is 409 with the state that forbids it', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, `GET ${PATH}`, { volume: volumeOf(caller) });
    refuses(suite.cloud, `DELETE ${PATH}`, NOT_DELETABLE);
    answers(suite.cloud, `GET ${PATH}`, { volume: volumeOf(caller, { status: 'in-use' }) });

    const answer = await api.request<ErrorBody>('DELETE', `/api${PATH}`, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
    assert.match(
      answer.body.detail,
      /^The volume cannot be deleted in its state in-use: it has to be available or failed, and not in use\.$/,
    );
  });

  for (const status of ['available', 'error']) {
    it(`is 409 with the number of snapshots of an ${status} volume`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      answers(suite.cloud, `GET ${PATH}`, { volume: volumeOf(caller, { status }) }, { times: 2 });
      refuses(suite.cloud, `DELETE ${PATH}`, NOT_DELETABLE);
      answers(suite.cloud, `GET /snapshots/detail?volume_id=${VOLUME_ID}`, {
        snapshots: [{ id: 's-1' }, { id: 's-2' }],
      });

      const answer = await api.request<ErrorBody>('DELETE', `/api${PATH}`, { as: caller });

      assert.equal(answer.status, 409);
      assert.match(answer.body.detail, /^The volume has 2 snapshots, which have to be deleted first\.$/);
      assert.equal(answer.body.reason, 'not_empty');
    });

    it(`is 409 with what else forbids it for an ${status} volume`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      answers(suite.cloud, `GET ${PATH}`, { volume: volumeOf(caller, { status }) }, { times: 2 });
      refuses(suite.cloud, `DELETE ${PATH}`, NOT_DELETABLE);
      answers(suite.cloud, `GET /snapshots/detail?volume_id=${VOLUME_ID}`, { snapshots: [] });

      const answer = await api.request<ErrorBody>('DELETE', `/api${PATH}`, { as: caller });

      assert.deepEqual([answer.status, answer.body.reason], [409, 'refused_by_service']);
      assert.equal(
        answer.body.detail,
        `The volume cannot be deleted in its state ${status}: it may be attached, migrating, in a group, or parted from its snapshots by a transfer.`,
      );
    });
  }

  it('is 404 when the volume is gone after the refusal', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, `GET ${PATH}`, { volume: volumeOf(caller) });
    refuses(suite.cloud, `DELETE ${PATH}`, NOT_DELETABLE);
    suite.cloud.reply('block-storage/volume-not-found', { path: new RegExp(`${PATH}$`) });

    assert.equal((await api.request('DELETE', `/api${PATH}`, { as: caller })).status, 404);
  });

  it("is 409 with the service's message if the state is unreadable", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, `GET ${PATH}`, { volume: volumeOf(caller) });
    refuses(suite.cloud, `DELETE ${PATH}`, NOT_DELETABLE);
    answers(suite.cloud, `GET ${PATH}`, '', { status: 500 });

    const answer = await api.request<ErrorBody>('DELETE', `/api${PATH}`, { as: caller });

    assert.deepEqual([answer.status, answer.body.detail], [409, NOT_DELETABLE]);
  });

  it('is never sent for a volume of another project', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const volume = volumeOf(caller, { 'os-vol-tenant-attr:tenant_id': OTHER_PROJECT });
    answers(suite.cloud, `GET ${PATH}`, { volume });

    assert.equal((await api.request('DELETE', `/api${PATH}`, { as: caller })).status, 404);
  });
});
