import assert from 'node:assert/strict';
import { findServers } from '@gateway/inventory';
import { type BoundClient, serverRecord } from '@gateway/openstack';
import { asRecord } from '../../../support/doubles/as-record.ts';
import { fixtureBody } from '../../../support/doubles/upstream.ts';

const MARK = { jobId: 'job-1', projectId: 'project-1' };
const sent = fixtureBody<object>('compute/server', 'server');

describe('the search for the server of a job', () => {
  function find(...differences: object[]): Promise<{ id: string }[]> {
    const servers = differences.map((difference) =>
      asRecord(serverRecord, { ...sent, tenant_id: MARK.projectId, ...difference }),
    );
    const compute = { servers: { listByName: async () => servers } };
    return findServers({ compute } as unknown as BoundClient, 'vm', MARK);
  }

  const own = { id: 'own', metadata: { gateway_job_id: MARK.jobId } };

  it('finds what bears its mark in its project', async () => {
    const others = [
      { id: 'unmarked', metadata: {} },
      { ...own, id: 'elsewhere', tenant_id: 'project-2' },
      { ...own, id: 'without a project', tenant_id: null },
    ];

    assert.deepEqual(
      (await find(...others, own)).map(({ id }) => id),
      ['own'],
    );
  });

  for (const metadata of [null, undefined, 'odd']) {
    it(`fails if a server may have the mark: its metadata is ${metadata}`, async () => {
      await assert.rejects(find({ id: 'hidden', metadata }, own), { status: 502 });
    });
  }

  it('does not mind such a server in another project', async () => {
    const other = { id: 'hidden', metadata: null, tenant_id: 'project-2' };

    assert.equal((await find(other, own)).length, 1);
  });
});
