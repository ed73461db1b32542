import assert from 'node:assert/strict';
import { shortCases, titleOf } from './cases.ts';
import { runCases } from './run-cases.ts';
import type { Verdict } from './verdict.ts';
import { flawsOf } from './verdict.ts';

const TWO_STACKS = 2;

describe('a job that a fault strikes', function () {
  this.timeout(600_000);
  const cases = shortCases();
  const verdicts = new Map(cases.map((one) => [one, Promise.withResolvers<Verdict>()]));

  let running: Promise<void>;

  before(() => {
    // All are begun here and each is awaited in its test, so that two systems can work side by side.
    running = runCases(cases, TWO_STACKS, (done, verdict) => verdicts.get(done)?.resolve(verdict)).catch(
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
    it(`ends with all or nothing: ${titleOf(one)}`, async () => {
      assert.deepEqual(flawsOf(await promise), []);
    });
  }
});
