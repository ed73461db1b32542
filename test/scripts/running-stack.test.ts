import assert from 'node:assert/strict';
import Mocha from 'mocha';
import { NeedsOwnStackError, runningStack } from '../../scripts/running-stack.ts';
import { skipWhatNeedsOwnStack } from '../../scripts/skip-needs-own-stack.ts';
import type { StackOptions } from '../../scripts/stack.ts';
import { canShare } from '../support/stacks/shared-stack.ts';

const URL = 'http://127.0.0.1:8000';

describe('a running gateway', () => {
  it('serves suites that need no settings', async () => {
    const stack = await Promise.resolve(runningStack(URL, { identityUrl: undefined }));
    assert.equal(stack.url, URL);
    await stack.stop();
  });

  for (const [options, reason] of [
    [{ apis: 2 }, /2 api processes/],
    [{ workers: 0 }, /0 worker processes/],
    [{ config: { rate_limits: { login: 3 } } }, /setting rate_limits\.login/],
    [{ config: { jobs: { lock_seconds: 3 } } }, /setting jobs\.lock_seconds/],
    [{ cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0' } }, /variable CLOUDSIM_DELAY_SCALE/],
    [{ redisDir: '/tmp' }, /option redisDir/],
  ] as [StackOptions, RegExp][]) {
    it(`refuses a suite that needs ${JSON.stringify(options)}`, () => {
      assert.throws(() => runningStack(URL, options), reason);
    });
  }

  it('refuses the use of its processes', () => {
    assert.throws(() => runningStack(URL, {}).workers, NeedsOwnStackError);
  });
});

describe('the stack that suites share', () => {
  for (const options of [
    {},
    { apis: 2, startsJobs: false, cloudsim: true, identityUrl: undefined },
    { config: { instances: { upper_volume_size_gb: 1 } } },
    { cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0.05' } },
  ]) {
    it(`has what a suite needs with ${JSON.stringify(options)}`, () => assert.ok(canShare(options)));
  }

  for (const options of [
    { workers: 0 },
    { workers: 2 },
    { ownRedis: true },
    { config: { instances: { upper_volume_size_gb: 2 } } },
    { config: { libraries: [] } },
    { cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '1' } },
    { env: { LOG_LEVEL: 'debug' } },
  ]) {
    it(`is not for a suite with ${JSON.stringify(options)}`, () => assert.ok(!canShare(options)));
  }
});

describe('a suite that needs a stack of its own', () => {
  function run(define: (suite: Mocha.Suite) => void): Promise<Mocha.Stats | undefined> {
    const mocha = new Mocha({ reporter: Mocha.reporters.Base });
    define(Mocha.Suite.create(mocha.suite, 'suite'));
    return new Promise((resolve) => {
      const runner = mocha.run(() => resolve(runner.stats));
      skipWhatNeedsOwnStack(runner);
    });
  }

  it('is skipped with its hooks, and other suites are not', async () => {
    const stats = await run((suite) => {
      suite.beforeAll(async () => {
        throw new NeedsOwnStackError('the suite needs 2 api processes');
      });
      suite.addTest(new Mocha.Test('a test', () => assert.fail('runs')));
      suite.afterAll(() => assert.fail('the set-up is incomplete'));
      const other = Mocha.Suite.create(suite.parent as Mocha.Suite, 'other');
      other.addTest(new Mocha.Test('another test', () => {}));
    });
    assert.deepEqual([stats?.passes, stats?.pending, stats?.failures], [1, 1, 0]);
  });

  it('still fails for other reasons', async () => {
    const stats = await run((suite) => {
      suite.addTest(new Mocha.Test('a test', () => assert.fail('wrong')));
      suite.afterAll(() => assert.fail('wrong'));
    });
    assert.deepEqual([stats?.passes, stats?.pending, stats?.failures], [0, 0, 2]);
  });
});
