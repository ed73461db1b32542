import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

/** A process whose young generation has grown, as in one that has loaded many modules. Prints its size before and after. */
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

describe('collectGarbage', () => {
  it('frees what nothing refers to, and shrinks the young generation', () => {
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], {
      encoding: 'utf8',
    });

    const { before, after, collected } = JSON.parse(output);
    assert.equal(collected, true);
    assert.ok(after < before / 4, `${before} bytes before, ${after} bytes after`);
  });
});
