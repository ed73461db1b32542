import assert from 'node:assert/strict';
import { findBackups, findShares, findVolumes } from '@gateway/inventory';
import type { BoundClient } from '@gateway/openstack';
import { fixture, mockUpstream, type Upstream } from '../../../support/doubles/upstream.ts';
import { call, recordedIdentity, testCloud } from '../../openstack/cloud.ts';

const MARKED = { gateway_job_id: 'j1' };
const mark = { jobId: 'j1', projectId: 'p1' };

describe('the search for the storage of a job', () => {
  let upstream: Upstream;
  let client: BoundClient;

  beforeEach(() => {
    upstream = mockUpstream();
    client = testCloud().openstack.as(recordedIdentity(), call);
  });

  afterEach(() => upstream.close());

  for (const { name, list, key, project, find } of [
    {
      name: 'volumes',
      list: 'block-storage/volumes',
      key: 'volumes',
      project: 'os-vol-tenant-attr:tenant_id',
      find: () => findVolumes(client, 'made', mark),
    },
    {
      name: 'backups',
      list: 'block-storage/backups',
      key: 'backups',
      project: 'os-backup-project-attr:project_id',
      find: () => findBackups(client, 'made', mark),
    },
  ]) {
    const listed = (...rows: object[]) => {
      const path = `${fixture(list).request.path.split('?')[0]}?name=made`;
      upstream.reply(list, { path, body: { [key]: rows.map((row) => ({ name: 'made', ...row })) } });
    };

    it(`finds ${name} of its project, which some services do not name`, async () => {
      listed(
        { id: 'own', metadata: MARKED, [project]: 'p1' },
        { id: 'of no named project', metadata: MARKED },
        { id: "another project's", metadata: MARKED, [project]: 'p2' },
        { id: "another job's", metadata: {}, [project]: 'p1' },
        { id: "another project's without metadata", [project]: 'p2' },
      );

      const found = await find();

      assert.deepEqual(found.map(({ id }) => id).sort(), ['of no named project', 'own']);
    });

    it(`fails rather than overlook ${name} without metadata`, async () => {
      for (const metadata of [null, undefined, 'text']) {
        listed({ id: 'other', metadata: {} }, { id: 'hidden', metadata });

        await assert.rejects(find(), { status: 502 });
      }
    });
  }

  describe('on shares', () => {
    const listed = (...rows: object[]) =>
      upstream.reply('shared-file-system/shares', {
        path: /\/shares\/detail/,
        body: { shares: rows.map((row) => ({ name: 'made', ...row })), count: rows.length },
      });

    it('finds those of its project only', async () => {
      listed(
        { id: 'own', metadata: MARKED, project_id: 'p1' },
        { id: 'of no known project', metadata: MARKED },
        { id: "another project's without metadata", project_id: 'p2' },
      );

      const found = await findShares(client, 'made', mark);

      assert.deepEqual(
        found.map(({ id }) => id),
        ['own'],
      );
    });

    it('fails rather than overlook one without metadata', async () => {
      listed({ id: 'hidden', metadata: null, project_id: 'p1' });

      await assert.rejects(findShares(client, 'made', mark), { status: 502 });
    });
  });
});
