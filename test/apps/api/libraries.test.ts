import assert from 'node:assert/strict';
import type { LibraryValidation } from '@gateway/libraries';
import type { FileStorage, Library } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { withServiceUser } from '../../support/api/settings.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

interface Share {
  id: string;
  project_id: string;
}

const [share] = fixtureBody<Share[]>('shared-file-system/shares', 'shares') as [Share];

describe('/api/libraries', () => {
  const suite = apiSuite();
  const service = newCaller({ userName: 'gateway', roles: ['admin'], projectId: share.project_id });

  /** The service user logs in and lists the prebuilt shares of these libraries, once. */
  function prebuiltAre(...libraries: [id: string, version: string][]): void {
    const shares = libraries.map(([id, version]) => ({
      ...share,
      id: `share-of-${id}`,
      metadata: {
        overlay_type: 'prebuilt',
        overlay_library: id,
        overlay_version: version,
        overlay_status: 'ready',
        overlay_built_at: '2026-01-02T03:04:05Z',
      },
    }));
    const sent = { requestHeaders: { 'x-auth-token': service.token } };
    suite.cloud
      .acceptsLogIn(service)
      .reply('shared-file-system/shares', {
        path: '/v2/shares/detail?is_public=true&with_count=true&limit=1000&offset=0',
        body: { shares, count: shares.length },
        ...sent,
      })
      .reply('shared-file-system/share-export-paths', {
        path: '/v2/shares/detail?is_public=true&limit=1000&offset=0',
        body: { shares: shares.map(({ id }) => ({ id, export_locations: [`192.0.2.11:6789:/${id}`] })) },
        ...sent,
      });
  }

  it('lists the catalogue with its prebuilt shares, read once for all projects', async () => {
    const api = await suite.start({ settings: withServiceUser });
    prebuiltAre(['python311', '3.11'], ['numpy-stack', '2.1']);
    const [one, other] = [newCaller(), newCaller({ projectId: 'another-project' })];

    const answer = await api.get<Library[]>('/api/libraries', { as: suite.cloud.validCaller(one) });
    const again = await api.get<Library[]>('/api/libraries', { as: suite.cloud.validCaller(other) });

    assert.deepEqual(
      answer.body.map(({ id, file_storage_id, available_prebuilt }) => [
        id,
        file_storage_id,
        available_prebuilt,
      ]),
      [
        ['python311', 'share-of-python311', true],
        ['numpy-stack', null, false],
        ['pytorch', null, false],
        ['jupyter', null, false],
        ['cupy', null, false],
      ],
    );
    assert.deepEqual(
      [answer.body[2]?.depends_on, answer.body[2]?.packages, answer.body[2]?.version],
      [['python311', 'numpy-stack'], ['torch', 'torchvision'], '2.15'],
    );
    assert.deepEqual(again.body, answer.body);
  });

  it('lists the shares as file storages, whoever may not read them', async () => {
    const api = await suite.start({ settings: withServiceUser });
    prebuiltAre(['python311', '3.11']);
    const caller = suite.cloud.validCaller(newCaller({ projectId: 'another-project', roles: ['reader'] }));

    const { body } = await api.get<FileStorage[]>('/api/libraries/shares', { as: caller });

    assert.deepEqual(
      body.map(({ id, library_name, library_version, built_at, export_locations }) => [
        id,
        library_name,
        library_version,
        built_at,
        export_locations,
      ]),
      [
        [
          'share-of-python311',
          'Python 3.11',
          '3.11',
          '2026-01-02T03:04:05Z',
          ['192.0.2.11:6789:/share-of-python311'],
        ],
      ],
    );
  });

  for (const [reason, withoutShares] of [
    ['shares are switched off', { ...withServiceUser, services: { shared_fs: false } }],
    ['there is no service user', {}],
  ] as const) {
    it(`has nothing prebuilt where ${reason}, and still lists and validates the catalogue`, async () => {
      const api = await suite.start({ settings: withoutShares });
      const caller = suite.cloud.validCaller(newCaller());

      const listed = await api.get<Library[]>('/api/libraries', { as: caller });
      const shares = await api.get('/api/libraries/shares', { as: caller });
      const validated = await api.post<LibraryValidation>('/api/libraries/validate', {
        as: caller,
        body: { library_ids: ['jupyter'] },
      });

      assert.equal(listed.body.length, 5);
      assert.ok(listed.body.every(({ available_prebuilt }) => !available_prebuilt));
      assert.deepEqual(shares.body, []);
      assert.deepEqual([validated.body.valid, validated.body.warnings.length], [true, 3]);
    });
  }

  describe('POST /validate', () => {
    it('completes the set, and warns of additions and missing prebuilt shares', async () => {
      const api = await suite.start({ settings: withServiceUser });
      prebuiltAre(['python311', '3.11']);
      const caller = suite.cloud.validCaller(newCaller());

      const { body } = await api.post<LibraryValidation>('/api/libraries/validate', {
        as: caller,
        body: { library_ids: ['numpy-stack'], os_version: null },
      });

      assert.deepEqual([body.valid, body.conflicts], [true, []]);
      assert.deepEqual(
        body.warnings.map(({ code, library_ids }) => [code, library_ids]),
        [
          ['dependency_added', ['python311']],
          ['not_prebuilt', ['numpy-stack']],
        ],
      );
    });

    it('finds conflicts with the system of the image, and unknown libraries', async () => {
      const libraries = [
        { id: 'base', name: 'Base', version: '1', packages: [], os_versions: ['ubuntu-22.04'] },
      ];
      const api = await suite.start({ settings: { libraries } as never });
      const caller = suite.cloud.validCaller(newCaller());

      const { status, body } = await api.post<LibraryValidation>('/api/libraries/validate', {
        as: caller,
        body: { library_ids: ['base', 'no-such'], os_version: 'debian-12' },
      });

      assert.deepEqual([status, body.valid], [200, false]);
      assert.deepEqual(
        body.conflicts.map(({ code, library_ids }) => [code, library_ids]),
        [
          ['unknown_library', ['no-such']],
          ['os_version', ['base']],
        ],
      );
    });

    for (const body of [{}, { library_ids: 'numpy-stack' }, { library_ids: [1] }, { library_ids: null }]) {
      it(`is 400 for ${JSON.stringify(body)}`, async () => {
        const api = await suite.start();
        const caller = suite.cloud.validCaller(newCaller());

        const answer = await api.post<ErrorBody>('/api/libraries/validate', { as: caller, body });

        assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_input']);
      });
    }
  });
});
