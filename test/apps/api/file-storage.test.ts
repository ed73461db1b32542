import assert from 'node:assert/strict';
import { type FileStorage, fileStorageLists } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import {
  answersShare,
  prebuilt,
  rule,
  SHARE_CALL,
  SHARE_PATH,
  share,
} from '../../support/api/file-storage.ts';
import { withServiceUser } from '../../support/api/settings.ts';
import { cacheTtl } from '../../support/api/stored-data.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

describe('/api/file-storage where shares are disabled', () => {
  const suite = apiSuite();

  it('is 404 service_disabled for every endpoint', async () => {
    const api = await suite.start({ settings: { services: { shared_fs: false } } });

    for (const [method, at] of [
      ['GET', '/api/file-storage'],
      ['GET', '/api/file-storage/quota'],
      ['GET', '/api/file-storage/types'],
      ['POST', '/api/file-storage'],
      ['GET', SHARE_PATH],
      ['DELETE', SHARE_PATH],
      ['GET', `${SHARE_PATH}/access-rules`],
      ['POST', `${SHARE_PATH}/access-rules`],
      ['DELETE', `${SHARE_PATH}/access-rules/r1`],
    ] as const) {
      const answer = await api.request<ErrorBody>(method, at, { as: newCaller() });
      assert.deepEqual([answer.status, answer.body.code], [404, 'service_disabled'], `${method} ${at}`);
    }
  });
});

describe('GET /api/file-storage', () => {
  const suite = apiSuite();
  const shares = [
    { ...share, id: 'a', share_proto: 'NFS' },
    { ...share, id: 'b', share_proto: 'NFS' },
    { ...share, id: 'c' },
  ];
  const nfs = (id: string) => [`127.0.0.1:/${id}`, `192.0.2.21:/${id}`, `192.0.2.20:/${id}`];

  it('lists mountable export locations by preference, without a call per row', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud
      .reply('shared-file-system/shares', { body: { shares, count: 3 } })
      .reply('shared-file-system/share-export-paths', {
        requestHeaders: { 'x-openstack-manila-api-version': '2.8' },
        body: {
          shares: [
            { id: 'a', export_locations: nfs('a') },
            { id: 'b', export_locations: nfs('b') },
            { id: 'c', export_locations: ['192.0.2.11:6789:/c'] },
          ],
        },
      })
      .reply('shared-file-system/export-locations', {
        path: '/v2/shares/a/export_locations',
        body: {
          export_locations: [
            { id: '1', path: '192.0.2.21:/a', preferred: false },
            { id: '2', path: '192.0.2.20:/a', preferred: true },
            { id: '3', path: '127.0.0.1:/a', preferred: false, is_admin_only: true },
          ],
        },
      });

    const answer = await api.get<FileStorage[]>('/api/file-storage', { as: caller });

    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(
      answer.body.map(({ export_locations }) => export_locations),
      [['192.0.2.20:/a', '192.0.2.21:/a'], ['192.0.2.20:/b', '192.0.2.21:/b'], ['192.0.2.11:6789:/c']],
    );
    assert.deepEqual(
      answer.body.map(({ share_proto }) => share_proto),
      ['NFS', 'NFS', 'NATIVEFS'],
    );
  });

  it('shows the known paths if the requested share has vanished', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud
      .reply('shared-file-system/shares', { body: { shares: [shares[0]], count: 1 } })
      .reply('shared-file-system/share-export-paths', {
        body: { shares: [{ id: 'a', export_locations: nfs('a') }] },
      })
      .reply('shared-file-system/share-not-found', { path: '/v2/shares/a/export_locations' });

    const answer = await api.get<FileStorage[]>('/api/file-storage', { as: caller });

    assert.deepEqual(answer.body[0]?.export_locations, nfs('a'));
  });

  it('is cached only briefly while a share is in transition', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud
      .reply('shared-file-system/shares', {
        body: {
          shares: [{ ...share, status: 'creating', created_at: new Date().toISOString() }],
          count: 1,
        },
      })
      .reply('shared-file-system/share-export-paths', { body: { shares: [] } });
    const first = await api.get<FileStorage[]>('/api/file-storage', { as: caller });
    const again = await api.get<FileStorage[]>('/api/file-storage', { as: caller });

    assert.deepEqual([first.body[0]?.status, again.body], ['creating', first.body]);
    assert.ok((await cacheTtl(api, fileStorageLists.project, caller)) <= 1);
  });

  it('shows a share without status at the end of deletion as deleting', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud
      .reply('shared-file-system/shares', { body: { shares: [{ ...share, status: null }], count: 1 } })
      .reply('shared-file-system/share-export-paths', { body: { shares: [] } })
      .reply('shared-file-system/share', { body: { share: { ...share, status: null } } })
      .reply('shared-file-system/export-locations');

    const list = await api.get<FileStorage[]>('/api/file-storage', { as: caller });
    const detail = await api.get<FileStorage>(SHARE_PATH, { as: caller });

    assert.deepEqual([list.body[0]?.status, detail.body.status], ['deleting', 'deleting']);
    assert.ok((await cacheTtl(api, fileStorageLists.project, caller)) <= 1);
  });
});

describe('GET /api/file-storage/{file_storage_id}', () => {
  const suite = apiSuite();

  const sentBy = ({ token }: TestCaller) => ({ requestHeaders: { 'x-auth-token': token } });
  it('shows a share of the project, in the terms of the interface', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersShare(suite.cloud, {
      metadata: { ...prebuilt, overlay_built_at: '2026-01-02T03:04:05Z', purpose: 'test' },
    });
    suite.cloud.reply('shared-file-system/export-locations');

    const { body } = await api.get<FileStorage>(SHARE_PATH, { as: caller });

    assert.deepEqual(
      [body.share_proto, body.library_name, body.library_version, body.built_at, body.user_id],
      ['NATIVEFS', 'NumPy, SciPy and pandas', '2.2', '2026-01-02T03:04:05Z', share.user_id],
    );
    const [location] = fixtureBody<{ path: string }[]>(
      'shared-file-system/export-locations',
      'export_locations',
    );
    assert.deepEqual(body.export_locations, [location?.path]);
    assert.equal(body.metadata.purpose, 'test');
  });

  it('takes no nonsense from metadata that anybody may write', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersShare(suite.cloud, {
      metadata: { overlay_built_at: '+275760-09-13', overlay_library: 'nobody-knows' },
    });
    suite.cloud.reply('shared-file-system/export-locations');

    const { body } = await api.get<FileStorage>(SHARE_PATH, { as: caller });

    assert.deepEqual([body.built_at, body.library_name, body.library_version], [null, 'nobody-knows', null]);
  });

  for (const is_public of [false, true]) {
    it(`is 404 for ${is_public ? 'a public' : 'a private'} share of another project, whoever asks`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'], projectId: 'another-project' }));
      suite.cloud.reply('shared-file-system/share', { times: 4, body: { share: { ...share, is_public } } });

      for (const [method, at] of [
        ['GET', SHARE_PATH],
        ['DELETE', SHARE_PATH],
        ['GET', `${SHARE_PATH}/access-rules`],
        ['DELETE', `${SHARE_PATH}/access-rules/${rule.id}`],
      ] as const) {
        const answer = await api.request<ErrorBody>(method, at, { as: caller });
        assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], `${method} ${at}`);
      }
    });
  }

  it('shows a prebuilt share to everybody, and its access rules to nobody', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const service = newCaller({ roles: ['admin'], projectId: share.project_id });
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'], projectId: 'another-project' }));
    suite.cloud.acceptsLogIn(service);
    suite.cloud
      .reply('shared-file-system/share-not-found', { path: SHARE_CALL, times: 3, ...sentBy(caller) })
      .reply('shared-file-system/share', {
        times: 3,
        body: { share: { ...share, metadata: prebuilt } },
        ...sentBy(service),
      })
      .reply('shared-file-system/export-locations', sentBy(service));

    const shown = await api.get<FileStorage>(SHARE_PATH, { as: caller });
    const rules = await api.get(`${SHARE_PATH}/access-rules`, { as: caller });
    const created = await api.post(`${SHARE_PATH}/access-rules`, { as: caller, body: { access_to: 'me' } });

    assert.deepEqual([shown.status, shown.body.id, rules.status, created.status], [200, share.id, 403, 403]);
  });

  it("is 404 for another project's share that only claims to be prebuilt", async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller({ projectId: 'another-project' }));
    suite.cloud.acceptsLogIn(newCaller({ roles: ['admin'], projectId: 'service-project' }));
    suite.cloud
      .reply('shared-file-system/share-not-found', { path: SHARE_CALL })
      .reply('shared-file-system/share', { body: { share: { ...share, metadata: prebuilt } } });

    assert.equal((await api.get(SHARE_PATH, { as: caller })).status, 404);
  });
});

describe('GET /api/file-storage/quota', () => {
  const suite = apiSuite();

  it('answers the quota with its documented addition', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('shared-file-system/limits');

    const { body } = await api.get('/api/file-storage/quota', { as: caller });

    assert.deepEqual(body, {
      gigabytes: { limit: 1000, in_use: 1 },
      shares: { limit: 50, in_use: 1 },
      snapshots: { limit: 50, in_use: 0 },
      share_networks: { limit: 10, in_use: 0 },
    });
  });
});

describe('GET /api/file-storage/types', () => {
  const suite = apiSuite();

  it('lists the share types', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('shared-file-system/share-types');

    const { body } = await api.get('/api/file-storage/types', { as: caller });

    const types = fixtureBody<{ id: string; name: string; is_default: boolean }[]>(
      'shared-file-system/share-types',
      'share_types',
    );
    assert.deepEqual(
      body,
      types.map(({ id, name, is_default }) => ({ id, name, description: '', is_default, is_public: true })),
    );
    assert.equal(types.filter(({ is_default }) => is_default).length, 1);
  });
});
