import assert from 'node:assert/strict';
import { KeyedMutex } from '../../../apps/api/src/locks/keyed-mutex.ts';

const forever = new AbortController().signal;

describe('KeyedMutex', () => {
  it('runs tasks of one key in order, and others concurrently', async () => {
    const mutex = new KeyedMutex();
    const log: string[] = [];
    const first = Promise.withResolvers<void>();
    const task = (name: string, wait?: Promise<void>) => async () => {
      log.push(name);
      await wait;
    };

    const all = [
      mutex.run('a', forever, task('a1', first.promise)),
      mutex.run('a', forever, task('a2')),
      mutex.run('b', forever, task('b1')),
    ];
    await all[2];
    assert.deepEqual(log, ['a1', 'b1']);
    first.resolve();
    await Promise.all(all);

    assert.deepEqual(log, ['a1', 'b1', 'a2']);
  });

  it('continues after a failed task, and after an aborted wait', async () => {
    const mutex = new KeyedMutex();
    const first = Promise.withResolvers<void>();
    const impatient = new AbortController();
    const reason = new Error('enough');
    let running = 0;

    const failing = mutex.run('a', forever, async () => {
      running += 1;
      await first.promise;
      running -= 1;
      throw new Error('failed');
    });
    const waiting = mutex.run('a', impatient.signal, () => assert.fail('has given up'));
    const last = mutex.run('a', forever, async () => running);
    impatient.abort(reason);

    await assert.rejects(waiting, reason);
    first.resolve();
    await assert.rejects(failing, /failed/);
    assert.equal(await last, 0);
  });
});
