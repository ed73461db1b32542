import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

/**
 * A process whose young generation has grown, like that of a process with many loaded modules. Prints its
 * size before and after.
 */
const SCRIPT = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { collectGarbage } from '@gateway/runtime';
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
  import { collectGarbage } from '@gateway/runtime';
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

/**
 * A process with a small heap limit that keeps half of its objects for a while. Prints its large collections.
 */
const BUSY_SCRIPT = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { letHeapGrow } from '@gateway/runtime';
  let collections = 0;
  const { NODE_PERFORMANCE_GC_MAJOR: MAJOR } = constants;
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === MAJOR) collections += 1;
  });
  observer.observe({ entryTypes: ['gc'] });
  if (process.argv[1] === 'grow') letHeapGrow();
  const kept = [];
  for (let round = 0; round < 600; round += 1) {
    kept[round % 60] = Array.from({ length: 10_000 }, (_, number) => ({ number }));
    await new Promise(setImmediate);
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  console.log(collections);`;

describe('letHeapGrow', function () {
  this.timeout(300_000);

  it('makes large collections rarer in a process with a small limit', () => {
    const collections = (...options: string[]) =>
      Number(
        execFileSync(
          process.execPath,
          ['--max-old-space-size=512', '--input-type=module', '-e', BUSY_SCRIPT, ...options],
          { encoding: 'utf8' },
        ),
      );

    // On a busy machine each collection takes longer, so that there are hardly more of them.
    const compared: [fewer: number, more: number][] = [];
    const isRarer = () => compared.some(([fewer, more]) => fewer > 0 && fewer < more * 0.75);
    while (!isRarer() && compared.length < 4) compared.push([collections('grow'), collections()]);

    assert.ok(isRarer(), compared.join(' and '));
  });
});
