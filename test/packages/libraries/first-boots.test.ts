import assert from 'node:assert/strict';
import { newId } from '@gateway/core';
import { consoleResultIn, type FirstBootReport, FirstBoots } from '@gateway/libraries';
import type { RedisConnections } from '@gateway/store';
import { TestClock } from '../../support/api/test-clock.ts';
import { nextToken } from '../../support/next-token.ts';
import { sendTwice } from '../../support/redis/replicated-writes.ts';
import { TestStore } from '../../support/redis/test-redis.ts';
import { everythingIn } from '../jobs/redis-contents.ts';

const DAY_SECONDS = 86_400;
const keepSeconds = 400 * DAY_SECONDS;
const projectId = 'p1';

function running(sequence: number, attributes: Partial<FirstBootReport> = {}): FirstBootReport {
  return { boot: 'boot-1', sequence, stage: 'layers', result: 'running', ...attributes };
}

function ready(sequence: number, attributes: Partial<FirstBootReport> = {}): FirstBootReport {
  return running(sequence, { stage: 'done', result: 'ready', ...attributes });
}

describe('FirstBoots', () => {
  const store = new TestStore();
  let redis: RedisConnections;
  let clock: TestClock;
  let firstBoots: FirstBoots;
  let jobId: string;
  let token: string;

  before(async () => {
    redis = await store.connect();
  });

  beforeEach(async () => {
    clock = new TestClock();
    firstBoots = new FirstBoots({ redis: redis.store, clock, keepSeconds });
    jobId = newId();
    token = await firstBoots.issueToken({ projectId, jobId });
  });

  after(() => store.close());

  const outcomeOf = async (text: string, report: FirstBootReport) =>
    (await firstBoots.accept(text, report)).outcome;
  const stateOf = async (project = projectId) => (await firstBoots.read(project, [jobId])).get(jobId);

  it('keep the latest report, which the project of the instance reads', async () => {
    assert.equal(await stateOf(), undefined);

    assert.equal(await outcomeOf(token, running(1)), 'accepted');
    assert.equal(await outcomeOf(token, running(2, { stage: 'workspace' })), 'accepted');

    const state = await stateOf();
    assert.deepEqual([state?.stage, state?.result, state?.source], ['workspace', 'running', 'callback']);
    assert.equal(await stateOf('another-project'), undefined);
  });

  it('refuse a secret after its final report, except the same report', async () => {
    await firstBoots.accept(token, running(1));
    const final = ready(2);

    assert.equal(await outcomeOf(token, final), 'accepted');

    assert.equal(await outcomeOf(token, final), 'repeated', 'its response was lost, say');
    assert.equal(await outcomeOf(token, ready(3)), 'refused');
    assert.equal(await outcomeOf(token, running(4, { boot: 'boot-2' })), 'refused');
    assert.equal((await stateOf())?.result, 'ready');
  });

  it('accept the next secret, which both sides derive', async () => {
    await firstBoots.accept(token, ready(1));
    const second = nextToken(token);
    const failed = running(1, { boot: 'boot-2', result: 'failed' });

    assert.equal(await outcomeOf(second, failed), 'accepted');

    assert.equal((await stateOf())?.result, 'failed');
    assert.equal(await outcomeOf(second, failed), 'repeated');
    assert.equal(await outcomeOf(token, ready(1)), 'refused', 'only the last secret may be repeated');
    assert.equal(await outcomeOf(nextToken(second), ready(1, { boot: 'boot-3' })), 'accepted');
  });

  it('ignore what a boot reported before a later report', async () => {
    await firstBoots.accept(token, running(5, { stage: 'workspace' }));

    assert.equal(await outcomeOf(token, running(4)), 'outdated');
    assert.equal(await outcomeOf(token, running(5)), 'outdated');
    assert.equal(await outcomeOf(token, running(5, { stage: 'workspace' })), 'repeated');
    assert.equal((await stateOf())?.stage, 'workspace');
    assert.equal(await outcomeOf(token, running(1, { boot: 'boot-2' })), 'accepted');
  });

  it('refuse unknown and foreign secrets', async () => {
    const another = await firstBoots.issueToken({ projectId, jobId: newId() });
    const ofAnother = `${token.slice(0, token.lastIndexOf('.'))}.${another.split('.').at(-1)}`;

    for (const wrong of ['', '.', 'x', `${projectId}.${jobId}.`, `${token}x`, ofAnother]) {
      assert.equal(await outcomeOf(wrong, ready(1)), 'refused', wrong);
      assert.equal(await firstBoots.issuerOf(wrong), null, wrong);
    }
    assert.equal(await stateOf(), undefined);
    assert.equal(await firstBoots.issuerOf(token), jobId);
  });

  it('keep the secret of a machine whose twin has reported', async () => {
    const twin = await firstBoots.issueToken({ projectId, jobId });

    assert.equal(await outcomeOf(twin, ready(9)), 'accepted');

    assert.equal(await outcomeOf(token, running(1)), 'accepted');
  });

  describe('in a store that was set back', () => {
    const secrets = () => `{first-boot}:secrets:${projectId}.${jobId}`;

    /** Final reports of the machine, which begins with this secret. */
    async function reportFinals(first: number, count: number): Promise<void> {
      for (let index = first; index < first + count; index += 1) {
        const report = ready(1, { boot: `boot-${index}` });
        assert.equal(await outcomeOf(nextToken(token, index), report), 'accepted');
      }
    }

    for (const [known, lost] of [
      [0, 1],
      [1, 1],
      [1, 31],
    ] as const) {
      it(`accept a machine that has lost ${lost} of its ${known + lost} results`, async () => {
        await reportFinals(0, known);
        const copy = await redis.store.hgetall(secrets());
        await reportFinals(known, lost);
        await redis.store.del(secrets());
        await redis.store.hset(secrets(), copy);
        const ahead = nextToken(token, known + lost);
        const failed = ready(2, { boot: 'now', result: 'failed' });

        assert.equal(await firstBoots.issuerOf(ahead), jobId);
        assert.equal(await outcomeOf(ahead, failed), 'accepted');

        assert.equal((await stateOf())?.result, 'failed');
        assert.equal(await outcomeOf(ahead, failed), 'repeated');
        assert.equal(await outcomeOf(nextToken(token, known), ready(3)), 'refused', 'it is replaced');
        assert.equal(await outcomeOf(nextToken(ahead), ready(1, { boot: 'next' })), 'accepted');
      });
    }

    it('accept the stages and the result of such a machine', async () => {
      await reportFinals(0, 1);
      const ahead = nextToken(token, 3);

      assert.equal(await outcomeOf(ahead, running(1, { boot: 'now' })), 'accepted');
      assert.equal(await outcomeOf(ahead, running(1, { boot: 'now' })), 'repeated');
      assert.equal(await outcomeOf(nextToken(token), ready(2)), 'refused', 'it is replaced');

      assert.equal(await outcomeOf(ahead, ready(2, { boot: 'now' })), 'accepted');
    });

    it('keep the secret of a twin of such a machine', async () => {
      const twin = await firstBoots.issueToken({ projectId, jobId });

      assert.equal(await outcomeOf(nextToken(token, 5), ready(1, { boot: 'now' })), 'accepted');

      assert.equal(await outcomeOf(twin, running(1)), 'accepted');
      assert.equal(await outcomeOf(nextToken(twin, 3), running(1, { boot: 'now' })), 'accepted');
    });

    it('refuse a secret that is too far ahead', async () => {
      await reportFinals(0, 1);
      const tooFar = nextToken(token, 33);

      assert.equal(await firstBoots.issuerOf(tooFar), null);
      assert.equal(await outcomeOf(tooFar, ready(1, { boot: 'now' })), 'refused');
    });
  });

  it('accept a write that is sent twice, as after a lost response', async () => {
    const { store: other } = await store.connect();
    sendTwice(other);
    const resending = new FirstBoots({ redis: other, clock, keepSeconds });

    assert.equal((await resending.accept(token, ready(1))).outcome, 'repeated');
    assert.equal((await stateOf())?.result, 'ready');
  });

  it('list the instances that failed within a day and have not recovered', async () => {
    const failed = running(1, { result: 'failed' });
    await firstBoots.accept(token, failed);
    clock.advance(1);
    const recovered = await firstBoots.issueToken({ projectId, jobId: newId() });
    await firstBoots.accept(recovered, failed);
    const listed = async () => (await firstBoots.readFailures(1)).map(({ owner }) => owner.jobId);
    assert.deepEqual(await listed(), [recovered.split('.')[1]]);

    await firstBoots.accept(nextToken(recovered), ready(2));

    assert.deepEqual(await listed(), [jobId], 'a recovered one takes no place');
    clock.advance(DAY_SECONDS + 1);
    assert.equal((await listed()).includes(jobId), false);
  });

  it('let one of all processes read a console log per minute', async () => {
    const other = new FirstBoots({ redis: redis.store, clock, keepSeconds });

    assert.equal(await firstBoots.takeConsoleTurn({ projectId, jobId }), true);
    assert.equal(await other.takeConsoleTurn({ projectId, jobId }), false);
  });

  it('keep a result from the console unless a report came meanwhile', async () => {
    const found = { stage: 'done', result: 'ready' } as const;
    const kept = await firstBoots.keepConsoleResult({ projectId, jobId }, null, found);
    assert.equal(kept?.source, 'console');
    const before = (await stateOf()) ?? null;
    await firstBoots.accept(token, running(1, { result: 'failed' }));

    assert.equal(await firstBoots.keepConsoleResult({ projectId, jobId }, before, found), null);
    assert.equal((await stateOf())?.result, 'failed');
  });

  it('expire after the last report, and end with the instance', async () => {
    await firstBoots.accept(token, running(1));
    const keys = await redis.store.keys(`*${jobId}`);
    assert.equal(keys.length, 2);
    const bare = (key: string) => key.slice(key.indexOf('{'));
    for (const key of keys) assert.ok((await redis.store.ttl(bare(key))) > 399 * DAY_SECONDS, key);

    await firstBoots.remove({ projectId: 'another-project', jobId });
    assert.ok(await stateOf());
    await firstBoots.remove({ projectId, jobId });

    assert.equal(await stateOf(), undefined);
    assert.equal(await outcomeOf(token, ready(2)), 'refused');
  });

  it('store no secret in clear', async () => {
    await firstBoots.accept(token, ready(1));

    const stored = await everythingIn(redis.queue, store.prefix);
    assert.ok(stored.includes(jobId));
    for (const text of [token, nextToken(token)]) {
      assert.equal(stored.includes(text.split('.').at(-1) ?? ''), false);
    }
  });
});

describe('consoleResultIn', () => {
  const readyLine = 'gateway first boot: ready, /workspace is mounted';
  const failedLine = 'gateway first boot: FAILED at stage layers: mount.nfs: denied, see /var/log/x';

  it('finds the result of the latest boot', () => {
    assert.deepEqual(consoleResultIn(`[ 1.2] Linux\n${failedLine}\nlogin: \n${readyLine}\n`), {
      result: 'ready',
      stage: 'done',
    });
    assert.deepEqual(consoleResultIn(`${readyLine}\r\n[ 9.1] ${failedLine}\r\nlogin:`), {
      result: 'failed',
      stage: 'layers',
    });
  });

  it('finds nothing in other logs', () => {
    for (const log of ['', 'ready', 'gateway first boot: FAILED at stage X: no', 'gateway build: stage x']) {
      assert.equal(consoleResultIn(log), null, log);
    }
  });
});
