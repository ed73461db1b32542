import assert from 'node:assert/strict';
import { type BoundClient, isTransient, type ServerRecord } from '@gateway/openstack';
import type { DeleteStepContext } from '../../../apps/worker/src/sagas/delete-instance/saga.ts';
import { findAssociatedResources } from '../../../apps/worker/src/sagas/delete-instance/steps/look-up.ts';

const HOUR_MS = 3_600_000;

interface Waited {
  /** Since the request has read the server. */
  waitedMs: number;
  attachedNow: string[] | null;
  isCellDown?: boolean;
}

/** The volumes that a deletion takes whose request has read `boot` and `data` as going with the server. */
async function volumesTaken({ waitedMs, attachedNow, isCellDown = false }: Waited) {
  const lookups = {
    async server() {
      if (attachedNow === null) assert.fail('The server is not read again.');
      const attached = attachedNow.map((id) => ({ id, delete_on_termination: id !== 'changed' }));
      const known = isCellDown ? { status: 'UNKNOWN', metadata: null } : { status: 'ACTIVE', metadata: {} };
      return { ...known, 'os-extended-volumes:volumes_attached': attached } as ServerRecord;
    },
    ports: async () => [],
    floatingIps: async () => [],
  };
  const { associated } = await findAssociatedResources.run({
    instanceId: 'server',
    server: {
      metadata: {},
      projectId: 'project',
      volumeIds: ['boot', 'data'],
      readAt: Date.now() - waitedMs,
    },
    // However long the job has waited in its queue, the step begins now.
    since: Date.now(),
    config: { jobs: { lateCallSeconds: 60 }, timeLimits: { volumeSeconds: 300 } },
    owner: () => ({ lookups }) as unknown as BoundClient,
  } as unknown as DeleteStepContext);
  return associated?.volumeIds;
}

describe('the volumes that a deletion takes', () => {
  it('are those of the request', async () => {
    assert.deepEqual(await volumesTaken({ waitedMs: 0, attachedNow: null }), ['boot', 'data']);
  });

  for (const [what, waitedMs] of [
    ['after a wait', HOUR_MS],
    ['by a clock that is ahead', -HOUR_MS],
  ] as const) {
    it(`are only those that the server still has: ${what}`, async () => {
      const attachedNow = ['boot', 'attached-later'];
      assert.deepEqual(await volumesTaken({ waitedMs, attachedNow }), ['boot']);
    });
  }

  it('are not decided while the cell of the server is down', async () => {
    const taken = volumesTaken({ waitedMs: HOUR_MS, attachedNow: [], isCellDown: true });

    await assert.rejects(taken, isTransient);
  });
});
