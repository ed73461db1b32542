import assert from 'node:assert/strict';
import { notFound } from '@gateway/core';
import { FailedStateError, UpstreamError, waitFor, waitForGone, waitForStatus } from '@gateway/openstack';

/** Wait options with a clock that only sleeping advances. */
function waitOptions(over: { signal?: AbortSignal } = {}) {
  let nowMs = 0;
  return {
    describe: 'The volume',
    timeoutMs: 1000,
    intervalMs: 100,
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
