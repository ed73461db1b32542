import assert from 'node:assert/strict';
import { Turns } from '../../../apps/api/src/turns.ts';

const forever = new AbortController().signal;

describe('turns', () => {
  it('run tasks with one key in order, and tasks with different keys at once', async () => {
    const turns = new Turns();
    const log: string[] = [];
    const first = Promise.withResolvers<void>();
    const task = (name: string, wait?: Promise<void>) => async () => {
      log.push(name);
      await wait;
    };

    const all = [
      turns.run('a', forever, task('a1', first.promise)),
      turns.run('a', forever, task('a2')),
      turns.run('b', forever, task('b1')),
    ];
    await all[2];
    assert.deepEqual(log, ['a1', 'b1']);
    first.resolve();
    await Promise.all(all);

    assert.deepEqual(log, ['a1', 'b1', 'a2']);
  });

  it('go on after a task that fails, and after one that gives up waiting', async () => {
    const turns = new Turns();
    const first = Promise.withResolvers<void>();
    const impatient = new AbortController();
    const reason = new Error('enough');
    let running = 0;

    const failing = turns.run('a', forever, async () => {
      running += 1;
      await first.promise;
      running -= 1;
      throw new Error('failed');
    });
    const waiting = turns.run('a', impatient.signal, () => assert.fail('has given up'));
    const last = turns.run('a', forever, async () => running);
    impatient.abort(reason);

    await assert.rejects(waiting, reason);
    first.resolve();
    await assert.rejects(failing, /failed/);
    assert.equal(await last, 0);
  });
});
