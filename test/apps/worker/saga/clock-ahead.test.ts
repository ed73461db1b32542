import assert from 'node:assert/strict';
import { type JournalEntry, ParkedError } from '../../../../apps/worker/src/saga/index.ts';
import { making, sagaSuite } from './world.ts';

const LATE_CALL_MS = 120_000;
const AHEAD_MS = 9 * 3_600_000;

describe('a journal that a worker whose clock was ahead has written', () => {
  const saga = sagaSuite({ lateCallMs: LATE_CALL_MS });

  const wasWritten = (entry: JournalEntry) => saga.notebook.steps.set('a', entry);
  const entry = () => saga.notebook.steps.get('a');

  it('lets waits begin with the run that reads it', async () => {
    wasWritten({ phase: 'applied', at: Date.now() + AHEAD_MS, result: { a: 'a-1' } });
    const begins: number[] = [];
    const step = making('a', {
      settle: async ({ since }) => {
        begins.push(since);
        throw new ParkedError(1);
      },
    });

    await assert.rejects(saga.run([step]), ParkedError);
    await assert.rejects(saga.run([step]), ParkedError);

    const [first = 0, second] = begins;
    assert.ok(first <= Date.now(), String(first));
    assert.equal(second, first);
  });

  it('lets a late call be awaited no longer than others', async () => {
    wasWritten({ phase: 'orphaned', at: Date.now() + AHEAD_MS, lateUntil: Date.now() + 2 * AHEAD_MS });

    await assert.rejects(saga.run([making('a')]), ParkedError);
    const { lateUntil = Number.POSITIVE_INFINITY } = entry() ?? {};
    await assert.rejects(saga.run([making('a')]), ParkedError);

    assert.ok(lateUntil <= Date.now() + LATE_CALL_MS, String(lateUntil));
    assert.equal(entry()?.lateUntil, lateUntil);
  });

  it('ends the attempts to undo a step in time', async () => {
    saga.notebook.rollbackReason = { status: 409, code: 'conflict', detail: 'No.' };
    wasWritten({ phase: 'done', at: 1, result: { a: 'a-1' }, undoingSince: Date.now() + AHEAD_MS });
    const undo = () => Promise.reject(new Error('Broken.'));

    const { leftovers } = await saga.sweep([making('a', { undo })]);

    assert.deepEqual(
      leftovers.map(({ id }) => id),
      ['a-1'],
    );
  });

  it('is left alone if only the clock of this worker is behind', async () => {
    const lateUntil = Date.now() + AHEAD_MS;
    wasWritten({ phase: 'orphaned', at: lateUntil - LATE_CALL_MS, lateUntil });
    saga.notebook.storeTime = () => lateUntil - LATE_CALL_MS;

    await assert.rejects(saga.run([making('a')]), ParkedError);

    assert.equal(entry()?.lateUntil, lateUntil);
  });

  it('is left alone where clocks differ by seconds', async () => {
    const at = Date.now() + 5_000;
    wasWritten({ phase: 'applied', at, result: { a: 'a-1' } });
    const park = () => Promise.reject(new ParkedError(1));

    await assert.rejects(saga.run([making('a', { settle: park })]), ParkedError);

    assert.equal(entry()?.at, at);
  });
});
