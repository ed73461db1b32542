import assert from 'node:assert/strict';
import { type AccessRule, type FileStorage, fileStorageList } from '@gateway/views';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import { cacheTtl } from '../../support/api/stored-data.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

interface Share {
  id: string;
  name: string;
  status: string;
  project_id: string;
  user_id: string;
  metadata: Record<string, string>;
}

interface Rule {
  id: string;
  access_to: string;
  access_key: string | null;
  metadata: Record<string, string>;
}

const share = fixtureBody<Share>('shared-file-system/share', 'share');
const [rule] = fixtureBody<Rule[]>('shared-file-system/access-rules', 'access_list') as [Rule];
const path = `/api/file-storage/${share.id}`;
const sharePath = `/v2/shares/${share.id}`;
const prebuilt = { overlay_type: 'prebuilt', overlay_library: 'numpy-stack', overlay_version: '2.2' };
const serviceUser = { service_user: { username: 'gateway', project_name: 'service' } };
const invalid = (message: string) => ({ status: 400, body: { badRequest: { code: 400, message } } });
const refused = (message: string) => ({ status: 403, body: { forbidden: { code: 403, message } } });

describe('/api/file-storage', () => {
  const suite = apiSuite();

  /** The share as the service shows it. */
  function shareIs(differences: Partial<Share> = {}): void {
    suite.cloud.reply('shared-file-system/share', { body: { share: { ...share, ...differences } } });
  }

  const sentBy = ({ token }: TestCaller) => ({ requestHeaders: { 'x-auth-token': token } });

  it('is 404 service_disabled altogether where shares are switched off', async () => {
    const api = await suite.start({ settings: { services: { shared_fs: false } } });

    for (const [method, at] of [
      ['GET', '/api/file-storage'],
      ['GET', '/api/file-storage/quota'],
      ['GET', '/api/file-storage/types'],
      ['POST', '/api/file-storage'],
      ['GET', path],
      ['DELETE', path],
      ['GET', `${path}/access-rules`],
      ['POST', `${path}/access-rules`],
      ['DELETE', `${path}/access-rules/r1`],
    ] as const) {
      const answer = await api.request<ErrorBody>(method, at, { as: newCaller() });
      assert.deepEqual([answer.status, answer.body.code], [404, 'service_disabled'], `${method} ${at}`);
    }
  });

  describe('GET /', () => {
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
          body: { shares: [{ ...share, status: 'creating' }], count: 1 },
        })
        .reply('shared-file-system/share-export-paths', { body: { shares: [] } });
      const first = await api.get<FileStorage[]>('/api/file-storage', { as: caller });
      const again = await api.get<FileStorage[]>('/api/file-storage', { as: caller });

      assert.deepEqual([first.body[0]?.status, again.body], ['creating', first.body]);
      assert.ok((await cacheTtl(api, fileStorageList, caller)) <= 1);
    });
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
    const detail = await api.get<FileStorage>(path, { as: caller });

    assert.deepEqual([list.body[0]?.status, detail.body.status], ['deleting', 'deleting']);
    assert.ok((await cacheTtl(api, fileStorageList, caller)) <= 1);
  });

  describe('GET /{file_storage_id}', () => {
    it('shows a share of the project, in the terms of the interface', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      shareIs({ metadata: { ...prebuilt, overlay_built_at: '2026-01-02T03:04:05Z', purpose: 'test' } });
      suite.cloud.reply('shared-file-system/export-locations');

      const { body } = await api.get<FileStorage>(path, { as: caller });

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
      shareIs({ metadata: { overlay_built_at: '+275760-09-13', overlay_library: 'nobody-knows' } });
      suite.cloud.reply('shared-file-system/export-locations');

      const { body } = await api.get<FileStorage>(path, { as: caller });

      assert.deepEqual(
        [body.built_at, body.library_name, body.library_version],
        [null, 'nobody-knows', null],
      );
    });

    for (const is_public of [false, true]) {
      it(`is 404 for ${is_public ? 'a public' : 'a private'} share of another project, whoever asks`, async () => {
        const api = await suite.start();
        const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'], projectId: 'another-project' }));
        suite.cloud.reply('shared-file-system/share', { times: 4, body: { share: { ...share, is_public } } });

        for (const [method, at] of [
          ['GET', path],
          ['DELETE', path],
          ['GET', `${path}/access-rules`],
          ['DELETE', `${path}/access-rules/${rule.id}`],
        ] as const) {
          const answer = await api.request<ErrorBody>(method, at, { as: caller });
          assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], `${method} ${at}`);
        }
      });
    }

    it('shows a prebuilt share to everybody, and its access rules to nobody', async () => {
      const api = await suite.start({ settings: serviceUser });
      const service = newCaller({ roles: ['admin'], projectId: share.project_id });
      const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'], projectId: 'another-project' }));
      suite.cloud.acceptsLogIn(service);
      suite.cloud
        .reply('shared-file-system/share-not-found', { path: sharePath, times: 3, ...sentBy(caller) })
        .reply('shared-file-system/share', {
          times: 3,
          body: { share: { ...share, metadata: prebuilt } },
          ...sentBy(service),
        })
        .reply('shared-file-system/export-locations', sentBy(service));

      const shown = await api.get<FileStorage>(path, { as: caller });
      const rules = await api.get(`${path}/access-rules`, { as: caller });
      const created = await api.post(`${path}/access-rules`, { as: caller, body: { access_to: 'me' } });

      assert.deepEqual(
        [shown.status, shown.body.id, rules.status, created.status],
        [200, share.id, 403, 403],
      );
    });

    it("is 404 for another project's share that only claims to be prebuilt", async () => {
      const api = await suite.start({ settings: serviceUser });
      const caller = suite.cloud.validCaller(newCaller({ projectId: 'another-project' }));
      suite.cloud.acceptsLogIn(newCaller({ roles: ['admin'], projectId: 'service-project' }));
      suite.cloud
        .reply('shared-file-system/share-not-found', { path: sharePath })
        .reply('shared-file-system/share', { body: { share: { ...share, metadata: prebuilt } } });

      assert.equal((await api.get(path, { as: caller })).status, 404);
    });
  });

  describe('POST /', () => {
    const body = { name: 'data', size_gb: 2 };
    const settings = {
      file_storage: { share_type: { nativefs: 'cephfs', nfs: 'default' }, share_network_id: 'net-1' },
    };

    /** A request that creates this share, with a mark in its metadata. */
    function creates(wanted: object) {
      return ({ share }: { share: { metadata: Record<string, string> } }) => {
        const { gateway_request, ...metadata } = share.metadata;
        assert.deepEqual({ ...share, metadata }, wanted);
        return gateway_request !== undefined;
      };
    }

    it('creates a native share of the configured type and network at once', async () => {
      const api = await suite.start({ settings });
      const caller = suite.cloud.validCaller(newCaller());
      suite.cloud.reply('shared-file-system/share-create', {
        requestBody: creates({
          name: 'data',
          size: 2,
          metadata: { purpose: 'x' },
          share_proto: 'CEPHFS',
          share_type: 'cephfs',
          share_network_id: 'net-1',
        }),
      });

      const answer = await api.post<FileStorage>('/api/file-storage', {
        as: caller,
        body: { ...body, metadata: { purpose: 'x' } },
      });

      assert.equal(answer.status, 201, answer.text);
      assert.deepEqual([answer.body.status, answer.body.export_locations], ['creating', []]);
    });

    it('takes protocol, type and network from the request', async () => {
      const api = await suite.start({ settings });
      const caller = suite.cloud.validCaller(newCaller());
      suite.cloud.reply('shared-file-system/share-create', {
        requestBody: creates({
          name: 'data',
          size: 2,
          metadata: {},
          share_proto: 'NFS',
          share_type: 'gold',
          share_network_id: 'net-2',
        }),
      });

      const answer = await api.post('/api/file-storage', {
        as: caller,
        body: { ...body, share_proto: 'NFS', share_type: 'gold', share_network_id: 'net-2', metadata: null },
      });

      assert.equal(answer.status, 201, answer.text);
    });

    const wrong: [object, string][] = [
      [{ name: '' }, 'body.name'],
      [{ name: 'x'.repeat(256) }, 'body.name'],
      [{ name: undefined }, 'body.name'],
      [{ size_gb: 0 }, 'body.size_gb'],
      [{ size_gb: 16_385 }, 'body.size_gb'],
      [{ size_gb: 1.5 }, 'body.size_gb'],
      [{ size_gb: '5' }, 'body.size_gb'],
      [{ share_proto: 'CIFS' }, 'body.share_proto'],
      [{ share_proto: 'CEPHFS' }, 'body.share_proto'],
      [{ share_network_id: '../x' }, 'body.share_network_id'],
      [{ metadata: { a: 1 } }, 'body.metadata.a'],
      [{ metadata: { overlay_type: 'prebuilt' } }, 'body.metadata.overlay_type'],
      [{ metadata: { overlay_x: 'y' } }, 'body.metadata.overlay_x'],
      [{ metadata: { gateway_job_id: 'y' } }, 'body.metadata.gateway_job_id'],
    ];
    for (const [differences, field] of wrong) {
      it(`is 400 for ${JSON.stringify(differences).slice(0, 60)}`, async () => {
        const api = await suite.start();
        const caller = suite.cloud.validCaller(newCaller());

        const answer = await api.post<ErrorBody>('/api/file-storage', {
          as: caller,
          body: { ...body, ...differences },
        });

        assert.equal(answer.status, 400);
        assert.deepEqual(
          answer.body.errors?.map((error) => error.field),
          [field],
        );
      });
    }

    it('is 409 beyond a quota, with numbers that the service omits', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      suite.cloud.reply('shared-file-system/share-quota').reply('shared-file-system/limits');

      const answer = await api.post<ErrorBody>('/api/file-storage', {
        as: caller,
        body: { ...body, size_gb: 2000 },
      });

      assert.deepEqual([answer.status, answer.body.code], [409, 'quota_exceeded']);
      assert.match(answer.body.detail, /gigabytes: 2000 requested, 1 of 1000 in use/);
    });

    it("keeps the service's message for a quota outside of the project's", async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      suite.cloud
        .reply('shared-file-system/share-quota', {
          body: {
            overLimit: {
              code: 413,
              message: 'Requested share size 20 is larger than maximum allowed limit 10.',
              retryAfter: '0',
            },
          },
        })
        .reply('shared-file-system/limits', refused("Policy doesn't allow limits:index to be performed."));

      const answer = await api.post<ErrorBody>('/api/file-storage', { as: caller, body });

      assert.deepEqual(
        [answer.status, answer.body.code, answer.body.detail],
        [409, 'quota_exceeded', 'The quota for share size is exceeded: 10 allowed, 20 requested.'],
      );
    });

    it('allows five a minute', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      suite.cloud.reply('shared-file-system/share-create', { times: 5 });
      const statuses: number[] = [];

      for (let count = 0; count < 6; count++) {
        statuses.push((await api.post('/api/file-storage', { as: caller, body })).status);
      }

      assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429]);
    });
  });

  describe('DELETE /{file_storage_id}', () => {
    function rulesAre(...rules: object[]): void {
      suite.cloud.reply('shared-file-system/access-rules', { body: { access_list: rules } });
    }

    function removalIs(options: object = { status: 202, body: '' }): void {
      suite.cloud.reply('shared-file-system/share', { method: 'DELETE', ...options });
    }

    it('deletes a share that only the rules of clients grant access to', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      shareIs();
      rulesAre(rule);
      removalIs();

      const answer = await api.request('DELETE', path, { as: caller });

      assert.equal(answer.status, 204, answer.text);
    });

    const ofInstance = { ...rule, metadata: { gateway_project_id: 'p', gateway_job_id: 'j' } };
    for (const [kind, own] of [
      ['by address', { ...ofInstance, access_type: 'ip', access_to: '10.0.0.5' }],
      ['by client name', { ...rule, access_to: 'gateway-p-j', metadata: {} }],
    ] as const) {
      it(`is 409 while an instance has access ${kind}`, async () => {
        const api = await suite.start();
        const caller = suite.cloud.validCaller(newCaller());
        shareIs();
        rulesAre(own);

        const answer = await api.request<ErrorBody>('DELETE', path, { as: caller });

        assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
        assert.match(answer.body.detail, /in use by an instance/);
      });
    }

    it("is 409 while an instance's metadata contains it as a layer", async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      const [server] = fixtureBody<object[]>('compute/servers', 'servers');
      shareIs({ metadata: { overlay_type: 'dynamic' } });
      rulesAre();
      suite.cloud.reply('compute/servers', {
        body: { servers: [{ ...server, metadata: { overlay_share_ids: `other,${share.id}` } }] },
      });

      assert.equal((await api.request('DELETE', path, { as: caller })).status, 409);
    });

    it('is 409 while the job that creates its instance runs', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      const jobId = await api.context.producer.enqueue({
        type: 'library.build',
        payload: { libraryId: 'numpy-stack', version: '2.2' },
        credential: caller as never,
        requestId: 'req-1',
      });
      shareIs({ metadata: { overlay_type: 'dynamic', overlay_instance: jobId } });

      const answer = await api.request<ErrorBody>('DELETE', path, { as: caller });

      assert.equal(answer.status, 409, answer.text);
      assert.match(answer.body.detail, /job/);
    });

    for (const message of [
      "Invalid share: Share status must be one of ('available', 'error', 'inactive').",
      'Invalid share: Share still has 1 dependent snapshots..',
      'Invalid share: %(reason)s.',
    ]) {
      for (const [status, detail] of [
        ['extending', /^The file storage is extending and cannot be deleted/],
        ['available', /^The file storage is available, but it has snapshots or replicas/],
      ] as const) {
        it(`is 409 with the state when the service refuses: ${message.slice(15, 40)}, ${status}`, async () => {
          const api = await suite.start();
          const caller = suite.cloud.validCaller(newCaller());
          shareIs();
          rulesAre();
          removalIs(refused(message));
          shareIs({ status });

          const answer = await api.request<ErrorBody>('DELETE', path, { as: caller });

          assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
          assert.match(answer.body.detail, detail);
        });
      }
    }

    it('is 403 for a prebuilt share unless the caller is an administrator', async () => {
      const api = await suite.start();
      const member = suite.cloud.validCaller(newCaller({ roles: ['member'] }));
      const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
      shareIs({ metadata: prebuilt });
      const answer = await api.request<ErrorBody>('DELETE', path, { as: member });
      shareIs({ metadata: prebuilt });
      rulesAre();
      suite.cloud.reply('compute/servers', { body: { servers: [] } });
      removalIs();

      const byAdmin = await api.request('DELETE', path, { as: admin });

      assert.deepEqual([answer.status, answer.body.code, byAdmin.status], [403, 'forbidden', 204]);
    });

    it('is 404 for a share that is not there', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      suite.cloud.reply('shared-file-system/share-not-found', { path: sharePath });

      assert.equal((await api.request('DELETE', path, { as: caller })).status, 404);
    });
  });

  describe('access rules', () => {
    const at = `${path}/access-rules`;

    it('are listed with keys, which nothing may keep, except those of instances', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      shareIs();
      const rules = [
        { ...rule, access_key: 'client-key' },
        { ...rule, access_key: 'instance-key', access_to: 'gateway-p-j' },
        { ...rule, access_key: null, access_type: 'ip', access_level: null },
      ];
      suite.cloud.reply('shared-file-system/access-rules', { body: { access_list: rules } });

      const answer = await api.get<AccessRule[]>(at, { as: caller });

      assert.deepEqual(
        answer.body.map(({ access_key, access_type, access_level }) => [
          access_type,
          access_level,
          access_key,
        ]),
        [
          ['nativeauth', 'ro', 'client-key'],
          ['nativeauth', 'ro', null],
          ['ip', 'rw', null],
        ],
      );
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.doesNotMatch(api.log.text(), /client-key|instance-key/);
    });

    it('are created read-only for a native client by default', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      shareIs();
      suite.cloud.reply('shared-file-system/access-rule-allow', {
        requestBody: { allow_access: { access_type: 'cephx', access_to: 'me', access_level: 'ro' } },
      });

      const answer = await api.post<AccessRule>(at, { as: caller, body: { access_to: 'me' } });

      assert.equal(answer.status, 201, answer.text);
      assert.deepEqual([answer.body.access_type, answer.body.access_key], ['nativeauth', null]);
      assert.equal(answer.headers['cache-control'], 'no-store');
    });

    const NFS = { share_proto: 'NFS' };
    const NATIVE = { share_proto: 'CEPHFS' };
    const wrong: [object, object, string][] = [
      [NFS, { access_to: 'me' }, 'body.access_type'],
      [NATIVE, { access_to: '10.0.0.1', access_type: 'ip' }, 'body.access_type'],
      [{ share_proto: 'CIFS' }, { access_to: '10.0.0.1', access_type: 'ip' }, 'body.access_type'],
      [NFS, { access_to: '10.0.0.256', access_type: 'ip' }, 'body.access_to'],
      [NFS, { access_to: '10.0.0.0/33', access_type: 'ip' }, 'body.access_to'],
      [NFS, { access_to: '10.0.0.0/8/8', access_type: 'ip' }, 'body.access_to'],
      [NFS, { access_to: '2001:db8::/129', access_type: 'ip' }, 'body.access_to'],
      [NFS, { access_to: 'host.example', access_type: 'ip' }, 'body.access_to'],
      [NATIVE, { access_to: 'a.b' }, 'body.access_to'],
      [NATIVE, { access_to: 'ü' }, 'body.access_to'],
      [NATIVE, { access_to: ' me' }, 'body.access_to'],
      [NATIVE, { access_to: 'gateway-p-j' }, 'body.access_to'],
      [NATIVE, { access_to: 'Gateway-x' }, 'body.access_to'],
    ];
    for (const [differences, body, field] of wrong) {
      it(`are refused with 400: ${JSON.stringify({ ...differences, ...body })}`, async () => {
        const api = await suite.start();
        const caller = suite.cloud.validCaller(newCaller());
        shareIs(differences);

        const answer = await api.post<ErrorBody>(at, { as: caller, body });

        assert.equal(answer.status, 400);
        assert.deepEqual(
          answer.body.errors?.map((error) => error.field),
          [field],
        );
      });
    }

    for (const body of [
      {},
      { access_to: '' },
      { access_to: 'me', access_level: 'x' },
      { access_to: 'me', access_type: 'user' },
    ]) {
      it(`are refused with 400 before any call: ${JSON.stringify(body)}`, async () => {
        const api = await suite.start();
        const caller = suite.cloud.validCaller(newCaller());

        assert.equal((await api.post(at, { as: caller, body })).status, 400);
      });
    }

    for (const access_to of ['10.0.0.1', '10.0.0.0/8', '2001:db8::1', '2001:db8::/32']) {
      it(`take ${access_to} for NFS`, async () => {
        const api = await suite.start();
        const caller = suite.cloud.validCaller(newCaller());
        shareIs(NFS as object);
        suite.cloud.reply('shared-file-system/access-rule-allow', {
          requestBody: { allow_access: { access_type: 'ip', access_to, access_level: 'rw' } },
        });

        const body = { access_to, access_type: 'ip', access_level: 'rw' };
        assert.equal((await api.post(at, { as: caller, body })).status, 201);
      });
    }

    it('are refused with 409 for a name that has one', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      shareIs();
      suite.cloud.reply('shared-file-system/access-rule-exists');
      shareIs();

      const answer = await api.post<ErrorBody>(at, { as: caller, body: { access_to: 'record-user' } });

      assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
    });

    it('are rejected with 409 and the state while the share is unavailable', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      shareIs({ status: 'creating' });
      const early = await api.post<ErrorBody>(at, { as: caller, body: { access_to: 'me' } });
      shareIs();
      suite.cloud.reply('shared-file-system/share-busy');
      shareIs({ status: 'deleting' });

      const late = await api.post<ErrorBody>(at, { as: caller, body: { access_to: 'me' } });

      assert.deepEqual([early.status, late.status], [409, 409]);
      assert.match(early.body.detail, /is creating/);
      assert.match(late.body.detail, /is deleting/);
    });

    it('let nobody else write into the share of an instance', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      shareIs({ metadata: { overlay_type: 'dynamic' } });
      const body = { access_to: 'me', access_level: 'rw' };

      assert.equal((await api.post(at, { as: caller, body })).status, 409);
    });

    it('are revoked, except those of instances and of other shares', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      const rules = [rule, { ...rule, id: 'own', access_to: 'gateway-p-j' }];
      for (let times = 0; times < 3; times++) {
        shareIs();
        suite.cloud.reply('shared-file-system/access-rules', { body: { access_list: rules } });
      }
      suite.cloud.reply('shared-file-system/access-rule-deny', {
        requestBody: { deny_access: { access_id: rule.id } },
      });
      const remove = async (id: string) =>
        (await api.request('DELETE', `${at}/${id}`, { as: caller })).status;

      assert.deepEqual(
        [await remove(rule.id), await remove('own'), await remove('unknown')],
        [204, 409, 404],
      );
    });

    it('are 409 when the state of the share forbids to revoke them', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      shareIs();
      suite.cloud.reply('shared-file-system/access-rules');
      suite.cloud.reply(
        'shared-file-system/access-rule-deny',
        invalid(
          'Access rules cannot be denied while the share lacks a valid host or is in an invalid state.',
        ),
      );

      assert.equal((await api.request('DELETE', `${at}/${rule.id}`, { as: caller })).status, 409);
    });
  });

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
