import assert from 'node:assert/strict';
import { KubernetesError } from '@gateway/lite';
import { ParkedError } from '../../../apps/worker/src/saga/index.ts';
import type { AgentState } from '../../../apps/worker/src/sagas/lite-clusters/agent-steps.ts';
import { awaitNodesStep } from '../../../apps/worker/src/sagas/lite-clusters/await-nodes.ts';
import type { LiteClusterContext } from '../../../apps/worker/src/sagas/lite-clusters/context.ts';

const READY_SECONDS = 900;
/** Longer than the gateway repeats requests to a server that has never answered. */
const LONG_MS = 60_000;
const NODE = { name: 'c-agent-1', serverId: 'vm-1' };

describe('the wait for the nodes of a lite cluster', () => {
  let begun: number;
  let state: Partial<AgentState>;
  let failure: string | null;
  let changes: object[];
  beforeEach(() => {
    begun = Date.now();
    state = {};
    failure = null;
    changes = [];
  });

  /** One run of the step. */
  async function run(answer: 'ready' | 'not ready' | 'silence'): Promise<string> {
    const listNodes = async () => {
      if (answer !== 'silence') return [{ name: NODE.name, ready: answer === 'ready' }];
      throw new KubernetesError({ kind: 'unreachable', isConnected: false, reason: 'no response' });
    };
    const context = {
      agentFailures: { read: async () => failure },
      config: {
        jobs: { pollIntervalMs: 1 },
        lite: { health: { requestSeconds: 5 } },
        timeLimits: { liteReadySeconds: READY_SECONDS },
      },
      kubernetes: async () => ({ listNodes, close: () => {} }),
      liteClusters: {
        read: async () => ({ status: 'CREATING' }),
        update: async (_cluster: object, change: object) => changes.push(change),
      },
      logger: { info: () => {} },
      owner: () => ({ compute: { servers: { consoleLog: async () => '' } } }),
      since: begun,
      state,
    };
    const step = awaitNodesStep<LiteClusterContext, AgentState>(() => [NODE]);
    type Context = Parameters<NonNullable<typeof step.settle>>[0];
    try {
      await step.settle?.(context as unknown as Context, {}, async (_update, added) => {
        Object.assign(state, added);
      });
      return 'ended';
    } catch (error) {
      return error instanceof ParkedError ? 'parked' : (error as Error).message;
    }
  }

  function pass(ms: number): void {
    begun -= ms;
    if (typeof state.silentSince === 'number') state.silentSince -= ms;
  }

  it('continues after one request without an answer, however late', async () => {
    assert.equal(await run('not ready'), 'parked');
    pass(LONG_MS);

    assert.deepEqual([await run('silence'), await run('not ready')], ['parked', 'parked']);
    pass(LONG_MS);
    assert.deepEqual([await run('silence'), await run('ready')], ['parked', 'ended']);
    assert.deepEqual(changes, []);
  });

  it('counts the silence from its first request, not from its beginning', async () => {
    pass(LONG_MS);

    assert.equal(await run('silence'), 'parked');
  });

  it('fails at its time limit if a server falls silent', async () => {
    assert.equal(await run('not ready'), 'parked');
    pass(READY_SECONDS * 1000 - LONG_MS);
    assert.equal(await run('silence'), 'parked');
    pass(LONG_MS);

    assert.match(await run('silence'), /not ready within the time limit \(not reachable\)/);
  });

  it('ends without the nodes of a server that never answers', async () => {
    assert.equal(await run('silence'), 'parked');
    pass(LONG_MS);

    assert.equal(await run('silence'), 'ended');
    assert.deepEqual(changes, [{ isNeverReached: true }]);
  });

  it('fails with the reported reason, also without an answer', async () => {
    assert.equal(await run('silence'), 'parked');
    pass(LONG_MS);
    failure = 'stage install: no such release';

    assert.equal(await run('silence'), `The first boot of ${NODE.name} failed at ${failure}.`);
  });
});
