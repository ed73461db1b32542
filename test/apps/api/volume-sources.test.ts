import assert from 'node:assert/strict';
import type { Volume } from '@gateway/resources';
import { answers, snapshotOf, VOLUME_ID, volumeOf } from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT, type TestCaller } from '../../support/api/factories.ts';
import type { FakeCloud } from '../../support/api/fake-cloud.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const IMAGE = fixtureBody<{ id: string }>('image/image');
const GIB = 2 ** 30;

interface Source {
  field: string;
  id: string;
  /** Declares the read of the source, with these differences. */
  read(cloud: FakeCloud, caller: TestCaller, differences?: object): void;
  /** The source in the request to the service. */
  passed: Record<string, string>;
  smallestGb: number;
}

const sources: Source[] = [
  {
    field: 'snapshot_id',
    id: 'snapshot-1',
    read: (cloud, caller, differences) =>
      answers(cloud, 'GET /snapshots/snapshot-1', {
        snapshot: snapshotOf(caller, { size: 3, status: 'available', ...differences }),
      }),
    passed: { snapshot_id: 'snapshot-1' },
    smallestGb: 3,
  },
  {
    field: 'source_volume_id',
    id: VOLUME_ID,
    read: (cloud, caller, differences) =>
      answers(cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller, { size: 4, ...differences }) }),
    passed: { source_volid: VOLUME_ID },
    smallestGb: 4,
  },
  {
    field: 'image_id',
    id: IMAGE.id,
    read: (cloud, _caller, differences) =>
      void cloud.reply('image/image', {
        body: { ...IMAGE, status: 'active', min_disk: 1, virtual_size: 2 * GIB, ...differences },
      }),
    passed: { imageRef: IMAGE.id },
    smallestGb: 2,
  },
  {
    field: 'image_id',
    id: IMAGE.id,
    // As the compute service makes it of a server that boots from a volume.
    read: (cloud, _caller, differences) =>
      void cloud.reply('image/image', {
        body: {
          ...IMAGE,
          status: 'active',
          min_disk: 1,
          size: 0,
          virtual_size: null,
          bdm_v2: 'True',
          block_device_mapping: JSON.stringify([
            { boot_index: null, source_type: 'snapshot', snapshot_id: 's2', volume_size: 90 },
            { boot_index: 0, source_type: 'snapshot', snapshot_id: 's1', volume_size: 30 },
          ]),
          ...differences,
        },
      }),
    passed: { imageRef: IMAGE.id },
    smallestGb: 30,
  },
];

describe('POST /api/volumes with a source', () => {
  const suite = apiSuite();

  /** The response to a volume of this source, and the volume that the service was asked for. */
  async function create(source: Source, body: object) {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    source.read(suite.cloud, caller);
    const request = { name: 'copy', [source.field]: source.id, ...body };
    return { api, caller, request };
  }

  for (const source of sources) {
    for (const [size, sizeGb] of [
      ['the size of the source', source.smallestGb],
      ['a larger size', source.smallestGb + 5],
      ['a very large size', 70_000],
    ] as const) {
      it(`passes on ${source.field} of ${source.smallestGb} GB with ${size}`, async () => {
        const isDefault = sizeGb === source.smallestGb;
        const { api, caller, request } = await create(source, isDefault ? {} : { size_gb: sizeGb });
        answers(
          suite.cloud,
          'POST /volumes',
          { volume: volumeOf(caller, { status: 'creating' }) },
          {
            status: 202,
            requestBody: ({ volume }: { volume: Record<string, unknown> }) => {
              const { metadata: _, ...asked } = volume;
              assert.deepEqual(asked, { name: 'copy', size: sizeGb, ...source.passed });
              return true;
            },
          },
        );

        const answer = await api.post<Volume>('/api/volumes', { as: caller, body: request });

        assert.equal(answer.status, 201, answer.text);
      });
    }

    it(`is 400 with less than the ${source.smallestGb} GB of ${source.field}`, async () => {
      const { api, caller, request } = await create(source, { size_gb: source.smallestGb - 1 });

      const answer = await api.post<ErrorBody>('/api/volumes', { as: caller, body: request });

      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_input']);
      const message = `must be at least ${source.smallestGb}`;
      assert.deepEqual(answer.body.errors, [{ field: 'body.size_gb', message }]);
    });
  }

  for (const [what, field, differences, status] of [
    ['a snapshot that is being deleted', 'snapshot_id', { status: 'deleting' }, 409],
    ['a volume that is being created', 'source_volume_id', { status: 'creating' }, 409],
    ['an image that is not active', 'image_id', { status: 'queued' }, 400],
    [
      'a snapshot of another project',
      'snapshot_id',
      { 'os-extended-snapshot-attributes:project_id': OTHER_PROJECT },
      404,
    ],
    [
      'a volume of another project',
      'source_volume_id',
      { 'os-vol-tenant-attr:tenant_id': OTHER_PROJECT },
      404,
    ],
  ] as const) {
    it(`is ${status} with ${what}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
      const source = sources.find((one) => one.field === field) as Source;
      source.read(suite.cloud, caller, differences);

      const body = { name: 'copy', [field]: source.id };
      const answer = await api.post<ErrorBody>('/api/volumes', { as: caller, body });

      assert.equal(answer.status, status, answer.text);
    });
  }

  it('is 404 with the id of a source that is not there', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('block-storage/volume-not-found', { path: new RegExp(`/volumes/${VOLUME_ID}$`) });

    const body = { name: 'copy', source_volume_id: VOLUME_ID };
    const answer = await api.post<ErrorBody>('/api/volumes', { as: caller, body });

    assert.deepEqual([answer.status, answer.body.detail], [404, `Volume ${VOLUME_ID} was not found.`]);
  });

  it('passes on type, zone and description', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const fields = { description: 'for tests', volume_type: 'fast', availability_zone: 'nova' };
    answers(
      suite.cloud,
      'POST /volumes',
      { volume: volumeOf(caller) },
      {
        status: 202,
        requestBody: ({ volume }: { volume: Record<string, unknown> }) => {
          const { metadata: _, ...asked } = volume;
          assert.deepEqual(asked, { name: 'v', size: 1, ...fields });
          return true;
        },
      },
    );

    const body = { name: 'v', size_gb: 1, ...fields };
    assert.equal((await api.post('/api/volumes', { as: caller, body })).status, 201);
  });

  for (const path of ['/api/volumes', '/api/volumes/async']) {
    for (const [why, body, message] of [
      ['two sources', { image_id: 'i', snapshot_id: 's' }, /^must have one of .* at most$/],
      ['neither a size nor a source', {}, /^must have size_gb, or one of /],
    ] as const) {
      it(`is 400 with ${why}: ${path}`, async () => {
        const api = await suite.start();
        const caller = suite.cloud.validCaller(newCaller());

        const answer = await api.post<ErrorBody>(path, { as: caller, body: { name: 'v', ...body } });

        assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_input']);
        assert.equal(answer.body.errors?.[0]?.field, 'body');
        assert.match(answer.body.errors?.[0]?.message ?? '', message);
      });
    }
  }
});
