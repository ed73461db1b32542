import assert from 'node:assert/strict';
import { shortCases, titleOf } from './cases.ts';
import { runCases } from './run-cases.ts';
import type { Verdict } from './verdict.ts';
import { problemsOf } from './verdict.ts';

/** A killed worker leaves one that takes over. The whole table has two, which compete for the job. */
const SYSTEMS = { stacks: 3, workers: 2 };

describe('a job during a fault', function () {
  this.timeout(600_000);
  const cases = shortCases();
  const verdicts = new Map(cases.map((one) => [one, Promise.withResolvers<Verdict>()]));

  let running: Promise<void>;

  before(() => {
    // All cases start here, and each test awaits its case, so that two systems can run in parallel.
    running = runCases(cases, SYSTEMS, (done, verdict) => verdicts.get(done)?.resolve(verdict)).catch(
      (error) => {
        for (const { reject, promise } of verdicts.values()) {
          promise.catch(() => {});
          reject(error);
        }
      },
    );
  });

  after(() => running);

  for (const [one, { promise }] of verdicts) {
    it(`ends with everything or nothing: ${titleOf(one)}`, async () => {
      assert.deepEqual(problemsOf(await promise), []);
    });
  }
});
