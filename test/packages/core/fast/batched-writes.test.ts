import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { BatchedWrites } from '@gateway/core';

describe('batched writes', () => {
  function batchedInto(chunks: string[]): BatchedWrites {
    const stream = new PassThrough({ encoding: 'utf8' });
    stream.on('data', (chunk: string) => chunks.push(chunk));
    return new BatchedWrites(stream);
  }

  it('send what an iteration of the event loop writes in one write', async () => {
    const chunks: string[] = [];
    const batched = batchedInto(chunks);

    batched.write('a');
    batched.write('b');
    await nextIteration();
    batched.write('c');
    await nextIteration();
    await nextIteration();

    assert.deepEqual(chunks, ['ab', 'c']);
  });

  it('do not wait with a long text', () => {
    const chunks: string[] = [];
    const batched = batchedInto(chunks);

    batched.write('a'.repeat(64 * 1024));

    assert.equal(chunks.join('').length, 64 * 1024);
  });

  it('send the rest at their end', async () => {
    const chunks: string[] = [];
    const batched = batchedInto(chunks);

    batched.end('a');
    await once(batched, 'finish');

    assert.deepEqual(chunks, ['a']);
  });
});
