import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

/**
 * A process whose young generation has grown, like that of a process with many loaded modules. Prints its
 * size before and after.
 */
const SCRIPT = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { collectGarbage } from '@gateway/core';
  const youngGeneration = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
  let kept = Array.from({ length: 500_000 }, (_, number) => ({ number }));
  const before = youngGeneration();
  const lost = new WeakRef(kept[0]);
  kept = null;
  await new Promise((resolve) => setTimeout(resolve));
  await collectGarbage();
  console.log(JSON.stringify({ before, after: youngGeneration(), collected: lost.deref() === undefined }));`;

/** Prints how many objects of calls of `process.nextTick` are left after collections. */
const TICK_SCRIPT = `
  import { createHook } from 'node:async_hooks';
  import { collectGarbage } from '@gateway/core';
  const ticks = [];
  createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'TickObject') ticks.push(new WeakRef(resource));
    },
  }).enable();
  await collectGarbage();
  await new Promise((resolve) => setTimeout(resolve));
  await collectGarbage();
  console.log(ticks.filter((tick) => tick.deref() !== undefined).length);`;

describe('collectGarbage', () => {
  it('frees what nothing refers to, and shrinks the young generation', () => {
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], {
      encoding: 'utf8',
    });

    const { before, after, collected } = JSON.parse(output);
    assert.equal(collected, true);
    assert.ok(after < before / 4, `${before} bytes before, ${after} bytes after`);
  });

  it('keeps an object of nextTick, without which each call becomes slow', () => {
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', TICK_SCRIPT], {
      encoding: 'utf8',
    });

    assert.ok(Number(output) > 0, output);
  });
});
