import assert from 'node:assert/strict';
import { conflict } from '@gateway/core';
import type { SagaOutcome } from '../../../../apps/worker/src/saga/index.ts';
import { making, Notebook, Process, runOnce, type TestState, type TestStep, World } from './world.ts';

const steps: readonly TestStep[] = [
  making('share'),
  making('disk', {
    async settle({ process }, result) {
      process.point();
      return { device: `/dev/${result.disk}` };
    },
  }),
  making('never', { when: () => false }),
  making('server', { when: ({ state }) => state.device !== undefined }),
  making('address'),
];
const all = { share: 1, disk: 1, server: 1, address: 1 };

const refusing: readonly TestStep[] = [
  ...steps,
  making('refused', {
    run: async ({ process }) => {
      process.point();
      throw conflict('busy', 'No.');
    },
  }),
];

/** Runs the saga in one process after the other. The first processes die at the given points. */
async function survive(saga: readonly TestStep[], deaths: number[]) {
  const world = new World();
  const notebook = new Notebook();
  const lived: boolean[] = [];
  for (const diesAt of deaths) {
    const process = new Process(diesAt);
    await runOnce({ steps: saga, world, notebook, process }).catch(() => {});
    lived.push(!process.dead);
  }
  const outcome = await runOnce({ steps: saga, world, notebook });
  return { world, notebook, outcome, lived };
}

/** Tries every point for one death, and every pair of points for two. */
async function everyDeath(saga: readonly TestStep[], check: (survivor: Survivor, deaths: number[]) => void) {
  for (let first = 1; ; first++) {
    const once = await survive(saga, [first]);
    check(once, [first]);
    if (once.lived[0]) {
      assert.ok(first > 15, 'there are that many points to die at');
      return;
    }
    for (let second = 1; ; second++) {
      const twice = await survive(saga, [first, second]);
      check(twice, [first, second]);
      if (twice.lived[1]) break;
    }
  }
}

type Survivor = Awaited<ReturnType<typeof survive>>;

function completed(outcome: SagaOutcome<TestState>): boolean {
  return outcome.kind === 'completed';
}

describe('a saga whose processes die', () => {
  it('creates exactly one of each resource, at whichever points processes die', async () => {
    await everyDeath(steps, ({ world, outcome, notebook }, deaths) => {
      const where = `died at ${deaths}`;
      assert.equal(completed(outcome), true, where);
      assert.deepEqual(world.counts, all, where);
      const made = world.log.filter((line) => line.startsWith('make'));
      assert.equal(made.length, 4, `${where}: nothing was made twice and removed`);
      assert.equal(outcome.state.device, `/dev/${world.find('disk')}`, where);
      assert.equal(notebook.messages.length, 4, `${where}: each step was announced once`);
    });
  });

  it('leaves nothing behind after a rollback, at whichever points processes die', async () => {
    await everyDeath(refusing, ({ world, outcome }, deaths) => {
      const where = `died at ${deaths}`;
      assert.deepEqual(world.counts, {}, where);
      assert.ok(outcome.kind === 'failed', where);
      assert.deepEqual(
        outcome.failure,
        { status: 409, code: 'conflict', detail: 'No.', reason: 'busy' },
        where,
      );
      assert.deepEqual(outcome.leftovers, [], where);
    });
  });

  it('has what the latest step returned of a key', async () => {
    const noting = (name: string) => making(name, { run: async () => ({ latest: name }) });
    for (let diesAt = 1; ; diesAt++) {
      const { lived, outcome } = await survive([noting('a'), noting('b'), making('c')], [diesAt]);
      assert.equal(outcome.state.latest, 'b', `died at ${diesAt}`);
      if (lived[0]) return;
    }
  });

  it('never abandons a rollback, even if the rejected call would succeed', async () => {
    for (let diesAt = 1; ; diesAt++) {
      const world = new World();
      const notebook = new Notebook();
      const process = new Process(diesAt);
      await runOnce({ steps: refusing, world, notebook, process }).catch(() => {});
      if (!process.dead) return;
      if (notebook.rollbackReason === null) continue;
      const outcome = await runOnce({ steps: [...steps, making('refused')], world, notebook });
      assert.equal(completed(outcome), false);
      assert.deepEqual(world.counts, {});
    }
  });
});
