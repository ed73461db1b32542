import assert from 'node:assert/strict';
import { testsOf } from '../../scripts/changed-tests.ts';

describe('the tests of a change', () => {
  for (const [file, tests] of [
    ['packages/jobs/src/keys.ts', 'test/packages/jobs'],
    ['apps/api/src/main.ts', 'test/apps/api'],
    ['test/e2e/volumes.test.ts', 'test/e2e/volumes.test.ts'],
    ['scripts/test.ts', 'test/scripts'],
    ['deploy/prometheus/alerts.yaml', 'test/deploy'],
    ['docs/architecture.md', undefined],
    ['test/support/eventually.ts', undefined],
  ] as const) {
    it(`are ${tests ?? 'none'} for ${file}`, () => {
      assert.equal(testsOf(file), tests);
    });
  }
});
