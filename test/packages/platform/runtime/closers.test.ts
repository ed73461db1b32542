import assert from 'node:assert/strict';
import { createClosers } from '@gateway/platform';

describe('closers', () => {
  it('close resources in reverse order, one at a time', async () => {
    const closers = createClosers();
    const log: string[] = [];
    for (const name of ['redis', 'queues', 'server']) {
      closers.add(name, async () => {
        log.push(`${name} begins`);
        await new Promise(setImmediate);
        log.push(`${name} ends`);
      });
    }

    await closers.closeInReverse();

    assert.deepEqual(log, [
      'server begins',
      'server ends',
      'queues begins',
      'queues ends',
      'redis begins',
      'redis ends',
    ]);
  });

  it('close the other resources after a failure, and then throw', async () => {
    const closers = createClosers();
    const closed: string[] = [];
    closers.add('redis', () => closed.push('redis'));
    closers.add('server', () => Promise.reject(new Error('stuck')));

    await assert.rejects(closers.closeInReverse(), (error: AggregateError) => {
      assert.deepEqual(
        error.errors.map(({ message, cause }) => `${message} ${cause.message}`),
        ['Closing server failed. stuck'],
      );
      return true;
    });
    assert.deepEqual(closed, ['redis']);
  });

  it('close resources once, after several calls', async () => {
    const closers = createClosers();
    let closed = 0;
    closers.add('redis', () => closed++);

    await Promise.all([closers.closeInReverse(), closers.closeInReverse()]);

    assert.equal(closed, 1);
  });

  it('accept no resource during the shutdown', async () => {
    const closers = createClosers();
    await closers.closeInReverse();

    assert.throws(() => closers.add('late', () => {}), /late was opened/);
  });
});
