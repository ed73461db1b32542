import assert from 'node:assert/strict';
import { isTransient } from '@gateway/openstack';
import { ParkedError } from '../../../apps/worker/src/saga/index.ts';
import { followMove } from '../../../apps/worker/src/sagas/evacuate-host/follow-move.ts';
import { moveInstances } from '../../../apps/worker/src/sagas/evacuate-host/move-instances.ts';
import { beginMove } from '../../../apps/worker/src/sagas/evacuate-host/request-move.ts';
import type {
  EvacuateHostStepContext,
  InstanceMove,
} from '../../../apps/worker/src/sagas/evacuate-host/saga.ts';

const INSTANCE = { id: 'server-1', name: 'web', projectId: 'project-1' };
const MOVE: InstanceMove = {
  phase: 'requested',
  move: 'evacuate',
  at: Date.now(),
  earlier: null,
  isAccepted: true,
};

/** The task has ended. After the first read the service changes the host, and ends the migration. */
function endingMeanwhile(): EvacuateHostStepContext {
  let hasEnded = false;
  const read = async <T>(before: T, after: T): Promise<T> => {
    const found = hasEnded ? after : before;
    hasEnded = true;
    return found;
  };
  const server = (host: string) => ({
    status: 'ACTIVE',
    'OS-EXT-STS:vm_state': 'active',
    'OS-EXT-STS:task_state': null,
    'OS-EXT-SRV-ATTR:host': host,
  });
  const migration = (status: string) => ({ uuid: 'migration-1', status });
  const compute = {
    servers: { get: () => read(server('compute-1'), server('compute-2')) },
    migrations: { latest: () => read(migration('pre-migrating'), migration('done')) },
  };
  return {
    config: { jobs: { lateCallSeconds: 120 }, timeLimits: { moveSeconds: 3600 } },
    state: { host: { serviceHost: 'compute-1', serviceId: 's', isUp: false, wasEnabled: true } },
    owner: () => ({ compute }),
  } as unknown as EvacuateHostStepContext;
}

/** The host is not in the row of a server whose cell is down. */
function withDownCell(): EvacuateHostStepContext {
  const row = {
    status: 'UNKNOWN',
    metadata: null,
    'OS-EXT-STS:task_state': null,
    'OS-EXT-SRV-ATTR:host': null,
  };
  const compute = { servers: { get: async () => row }, migrations: { latest: async () => null } };
  return { ...endingMeanwhile(), owner: () => ({ compute }) } as unknown as EvacuateHostStepContext;
}

describe('following the move of an instance', () => {
  it('counts a move that ends between two reads as made', async () => {
    const context = endingMeanwhile();

    const first = await followMove(context, INSTANCE, MOVE);
    const second = await followMove(context, INSTANCE, first);

    assert.deepEqual(first, MOVE);
    assert.equal(second.phase, 'moved');
  });

  it('takes no instance for moved while its cell is down', async () => {
    await assert.rejects(beginMove(withDownCell(), INSTANCE, false), isTransient);
    await assert.rejects(followMove(withDownCell(), INSTANCE, MOVE), isTransient);
  });

  it('leaves a busy instance only after all other moves', async () => {
    const hourAgo = Date.now() - 3_600_000;
    const tasks: Record<string, string> = { busy: 'image_snapshot', moving: 'migrating' };
    const get = async (id: string) => ({
      status: 'ACTIVE',
      metadata: {},
      'OS-EXT-STS:vm_state': 'active',
      'OS-EXT-STS:task_state': tasks[id],
      'OS-EXT-SRV-ATTR:host': 'compute-1',
    });
    const compute = { servers: { get }, migrations: { latest: async () => null } };
    const context = {
      config: { jobs: { pollIntervalMs: 1 }, timeLimits: { moveSeconds: 7200, serverSeconds: 600 } },
      signal: new AbortController().signal,
      since: hourAgo,
      state: {
        host: { serviceHost: 'compute-1', serviceId: 's', isUp: true, wasEnabled: true },
        planned: ['busy', 'moving'].map((id) => ({ id, name: id, projectId: 'project-1' })),
      },
      owner: () => ({ compute }),
      showChange: async () => {},
    } as unknown as EvacuateHostStepContext;
    const settle = async (move: Partial<InstanceMove>) => {
      const moves = { moving: { ...MOVE, at: hourAgo, ...move } };
      return (await moveInstances.settle?.(context, { moves }, async () => {}))?.moves?.busy;
    };

    await assert.rejects(settle({}), ParkedError);
    await assert.rejects(settle({ phase: 'moved', at: Date.now() }), ParkedError);
    assert.equal((await settle({ phase: 'moved' }))?.reason, 'It is busy with the task image_snapshot.');
  });
});
