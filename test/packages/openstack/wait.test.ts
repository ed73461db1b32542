import assert from 'node:assert/strict';
import { notFound } from '@gateway/core';
import {
  ExpectedDurations,
  FailedStateError,
  type PollIntervals,
  pollInterval,
  UpstreamError,
  waitFor,
  waitForGone,
  waitForStatus,
} from '@gateway/openstack';

/** Wait options with a clock that only sleeping advances. */
function waitOptions(over: { signal?: AbortSignal; intervals?: PollIntervals } = {}) {
  let nowMs = 0;
  return {
    describe: 'The volume',
    timeoutMs: 1000,
    intervals: { firstMs: 100, maxMs: 100 },
    random: () => 0.5,
    clock: { now: () => nowMs },
    sleep: async (ms: number) => {
      nowMs += ms;
    },
    ...over,
  };
}

/** Returns the values in order, and then the last one repeatedly; throws values that are errors. */
function sequence<T>(...values: (T | Error)[]): { next: () => Promise<T>; calls: () => number } {
  let calls = 0;
  return {
    calls: () => calls,
    next: async () => {
      const value = values[Math.min(calls, values.length - 1)] as T | Error;
      calls += 1;
      if (value instanceof Error) throw value;
      return value;
    },
  };
}

function unavailable(status = 503): UpstreamError {
  return new UpstreamError(status, 'upstream_unavailable', 'Unavailable.', {
    service: 'blockStorage',
    operation: 'volumes.get',
    upstreamStatus: null,
    upstreamMessage: null,
    upstreamRequestId: null,
  });
}

function status(record: { status: string }): string {
  return record.status;
}

describe('waiting', () => {
  it('polls until the check returns a value, and returns it', async () => {
    const source = sequence<string | undefined>(undefined, undefined, 'there');

    assert.equal(await waitFor(source.next, waitOptions()), 'there');
    assert.equal(source.calls(), 3);
  });

  it('polls at growing intervals, up to the longest', async () => {
    const options = waitOptions({ intervals: { firstMs: 100, maxMs: 300 } });
    const looks: number[] = [];

    await waitFor(
      async () => {
        looks.push(options.clock.now());
        return looks.length === 7 || undefined;
      },
      { ...options, timeoutMs: 10_000 },
    );

    assert.deepEqual(looks, [0, 100, 200, 300, 450, 675, 975]);
  });

  it('varies the intervals by a fifth', async () => {
    for (const [random, expected] of [
      [0, 80],
      [0.5, 100],
      [0.999_999, 120],
    ] as const) {
      assert.equal(Math.round(pollInterval({ firstMs: 100, maxMs: 1_000 }, 0, () => random)), expected);
    }
  });

  describe('for changes that usually take equally long', () => {
    const intervals = { firstMs: 400, maxMs: 2_000 };

    /** When a wait polls a change that takes `tookMs`, in milliseconds since its beginning. */
    async function looksAt(tookMs: number, durations: ExpectedDurations, startedMs = 0): Promise<number[]> {
      const options = waitOptions({ intervals });
      await options.sleep(startedMs);
      const looks: number[] = [];
      const check = async () => {
        looks.push(options.clock.now());
        return options.clock.now() >= tookMs || undefined;
      };
      await waitFor(check, { ...options, timeoutMs: 60_000, since: 0, durations });
      return looks;
    }

    it('polls rarely before the change is likely, and then often', async () => {
      const durations = new ExpectedDurations();
      const first = await looksAt(9_000, durations);
      for (let round = 0; round < 20; round += 1) await looksAt(9_000, durations);

      const later = await looksAt(9_000, durations);

      assert.deepEqual(later.slice(0, 4), [2_000, 4_000, 6_000, 8_000]);
      assert.ok(later.length < first.length, `${later} after ${first}`);
      assert.ok((later.at(-1) ?? 0) < 9_600, `${later}`);
    });

    it('does not poll at once before anything is known', async () => {
      const durations = new ExpectedDurations();
      assert.deepEqual(await looksAt(300, durations), [400]);
      assert.equal((await looksAt(900, durations))[0], 0);
    });

    it('knows them after one wait', async () => {
      const durations = new ExpectedDurations();
      const first = await looksAt(1_500, durations);
      const second = await looksAt(1_500, durations);
      assert.ok(second.length < first.length, `${second} after ${first}`);
      assert.ok((second[0] ?? 0) > 1_000, `${second}`);
    });

    it('notices when they become faster', async () => {
      const durations = new ExpectedDurations();
      for (let round = 0; round < 20; round += 1) await looksAt(1_900, durations);
      for (let round = 0; round < 20; round += 1) await looksAt(500, durations);

      assert.ok(((await looksAt(500, durations)).at(-1) ?? 0) < 1_000);
    });

    it('polls a change at once that should have happened', async () => {
      const durations = new ExpectedDurations();
      for (let round = 0; round < 20; round += 1) await looksAt(1_900, durations);

      assert.deepEqual(await looksAt(1_900, durations, 30_000), [30_000]);
    });

    it('polls an immediate change at once, even after a slow one', async () => {
      const durations = new ExpectedDurations();
      await looksAt(300, durations);
      for (let round = 0; round < 5; round += 1) assert.deepEqual(await looksAt(0, durations), [0]);
    });
  });

  it('polls once more at the deadline', async () => {
    const source = sequence<undefined>(undefined);
    const options = waitOptions({ intervals: { firstMs: 700, maxMs: 700 } });

    await assert.rejects(waitFor(source.next, options), { status: 504 });

    assert.deepEqual([source.calls(), options.clock.now()], [3, 1_000]);
  });

  it('throws a 504 after the timeout', async () => {
    const source = sequence<undefined>(undefined);

    await assert.rejects(waitFor(source.next, waitOptions()), {
      status: 504,
      message: 'The volume was not ready in time.',
    });
    assert.equal(source.calls(), 11);
  });

  it('continues after transient errors', async () => {
    const source = sequence<string>(unavailable(), unavailable(504), 'there');

    assert.equal(await waitFor(source.next, waitOptions()), 'there');
  });

  it('throws the transient error if it lasts until the timeout', async () => {
    await assert.rejects(waitFor(sequence<string>(unavailable()).next, waitOptions()), { status: 503 });
  });

  it('throws any other error at once', async () => {
    const source = sequence<string>(notFound('Gone.'));

    await assert.rejects(waitFor(source.next, waitOptions()), { status: 404 });
    assert.equal(source.calls(), 1);
  });

  it("throws the signal's reason", async () => {
    const controller = new AbortController();
    controller.abort(new Error('cancelled'));

    await assert.rejects(waitFor(sequence('there').next, waitOptions({ signal: controller.signal })), {
      message: 'cancelled',
    });
  });

  it('for a status returns the record with that status, ignoring case', async () => {
    const source = sequence({ status: 'BUILD' }, { status: 'ACTIVE' });

    const record = await waitForStatus(source.next, status, {
      ...waitOptions(),
      targetStates: ['active'],
      failedStates: ['error'],
    });

    assert.deepEqual(record, { status: 'ACTIVE' });
  });

  it('for a status stops early in a failed state', async () => {
    const source = sequence({ status: 'creating' }, { status: 'error' });

    const error = await waitForStatus(source.next, status, {
      ...waitOptions(),
      targetStates: ['available'],
      failedStates: ['error'],
    }).catch((thrown: unknown) => thrown);

    assert.ok(error instanceof FailedStateError);
    assert.deepEqual([error.status, error.resourceStatus], [502, 'error']);
    assert.equal(error.message, 'The volume reached the state error.');
    assert.equal(source.calls(), 2);
  });

  it('for a deletion accepts a 404', async () => {
    const source = sequence<{ status: string }>({ status: 'deleting' }, notFound('Gone.'));

    await waitForGone(source.next, status, waitOptions());

    assert.equal(source.calls(), 2);
  });

  it('for a deletion accepts the given states', async () => {
    await waitForGone(sequence({ status: 'DELETED' }).next, status, {
      ...waitOptions(),
      goneStates: ['deleted'],
    });
  });

  it('for a deletion stops early in a failed state', async () => {
    const options = { ...waitOptions(), failedStates: ['error_deleting'] };

    await assert.rejects(
      waitForGone(sequence({ status: 'error_deleting' }).next, status, options),
      FailedStateError,
    );
  });
});
