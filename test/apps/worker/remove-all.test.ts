import assert from 'node:assert/strict';
import { conflict, notFound } from '@gateway/core';
import { type Config, createLogger } from '@gateway/platform';
import { ParkedError } from '../../../apps/worker/src/saga/index.ts';
import type { DeleteStepContext } from '../../../apps/worker/src/sagas/delete-instance/saga.ts';
import { deleteAssociatedResources } from '../../../apps/worker/src/sagas/delete-instance/steps/associated-resources.ts';
import { type Removal, removeAll } from '../../../apps/worker/src/sagas/resources/remove-all.ts';
import { parking } from '../../../apps/worker/src/sagas/resources/wait-options.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';

const config = {
  jobs: { pollIntervalMs: 10 },
  timeLimits: { undoSeconds: 300, serverSeconds: 600, shareSeconds: 300, volumeSeconds: 600 },
} as Config;
const logger = createLogger({ level: 'debug', format: 'json', service: 'worker' }, captureLogLines().stream);

const stepSince = (ageMs: number) => ({
  config,
  logger,
  signal: new AbortController().signal,
  since: Date.now() - ageMs,
});

const refuse = () => {
  throw conflict('not_empty', 'It has a snapshot.');
};

describe('removals of a job that parks', () => {
  let tried: string[];

  beforeEach(() => {
    tried = [];
  });

  const removal = (id: string, act: () => void = () => {}, parts: Partial<Removal> = {}): Removal => ({
    type: 'volume',
    id,
    remove: async () => {
      tried.push(id);
      act();
    },
    ...parts,
  });
  const removeWithin = (all: Removal[], timeoutMs: number) =>
    removeAll(parking(stepSince(1_000)), all, timeoutMs);

  it('pass over one that is refused, and try it again later', async () => {
    const all = [
      removal('refused', refuse),
      removal('next'),
      removal('refused too', refuse),
      removal('last'),
    ];

    await assert.rejects(removeWithin(all, 60_000), ParkedError);

    assert.deepEqual(tried, ['refused', 'next', 'refused too', 'last']);
  });

  it('stop at one that has begun', async () => {
    const begun = () => {
      throw new ParkedError(5);
    };
    const all = [removal('refused', refuse), removal('begun', begun), removal('last')];

    await assert.rejects(removeWithin(all, 60_000), { name: 'ParkedError', pauseMs: 5 });

    assert.deepEqual(tried, ['refused', 'begun']);
  });

  it('stop at a refused one that holds the others', async () => {
    const all = [removal('refused', refuse, { holdsOthers: true }), removal('last')];

    await assert.rejects(removeWithin(all, 60_000), ParkedError);

    assert.deepEqual(tried, ['refused']);
  });

  it('leave what is refused after the time limit', async () => {
    const all = [removal('refused', refuse, { holdsOthers: true }), removal('last')];

    const { leftovers } = await removeWithin(all, 500);

    assert.deepEqual(tried, ['refused', 'last']);
    assert.deepEqual(leftovers, [{ type: 'volume', id: 'refused', reason: 'It has a snapshot.' }]);
  });
});

describe('the deletion of an instance whose volume cannot be deleted', () => {
  /** What the step asks for in one run, while the server has this status. */
  async function run(status: string | null) {
    const calls: string[] = [];
    const found = async (isFound: boolean, record: object) => {
      if (!isFound) throw notFound('It is gone.');
      return record;
    };
    const client = {
      blockStorage: {
        volumes: {
          get: async () => ({ status: 'available', created_at: '2026-01-01T00:00:00Z', attachments: [] }),
          remove: async () => {
            calls.push('volume');
            refuse();
          },
        },
      },
      compute: { servers: {} },
      network: {
        ports: {
          get: async (id: string) => ({ id, device_id: '', device_owner: '', revision_number: 1 }),
          remove: async () => void calls.push('port'),
        },
      },
      sharedFileSystem: {
        accessRules: { deny: async () => void calls.push('access rule'), list: async () => [] },
        shares: {
          get: () => found(!calls.includes('share'), {}),
          remove: async () => void calls.push('share'),
        },
      },
      polls: {
        waitFor: async (
          _kind: string,
          _id: string,
          check: (read: () => Promise<object>) => Promise<unknown>,
        ) => {
          const outcome = await check(() =>
            found(status !== null, { status, 'OS-EXT-STS:task_state': 'deleting' }),
          );
          if (outcome !== undefined) return;
          calls.push('waits for the server');
          throw new ParkedError(1);
        },
        waitForGone: async () => {},
      },
    };
    const context = {
      ...stepSince(1_000),
      instanceId: 'server',
      state: {
        associated: {
          volumeIds: ['volume'],
          floatingIpIds: [],
          portIds: ['port'],
          serverPortIds: ['port'],
          accessRules: [{ shareId: 'library', ruleId: 'rule' }],
          dynamicShareIds: ['share'],
        },
      },
      owner: () => client,
      remover: () => client,
      service: async () => client,
      forcer: async () => null,
    };
    const running = deleteAssociatedResources.run(context as unknown as DeleteStepContext);
    await assert.rejects(running, ParkedError);
    return calls;
  }

  it('removes its access rules, share and port at once', async () => {
    assert.deepEqual(await run(null), ['volume', 'access rule', 'share', 'port']);
  });

  it('waits with all of them for the server', async () => {
    assert.deepEqual(await run('ACTIVE'), ['waits for the server']);
  });
});
