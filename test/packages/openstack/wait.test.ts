import assert from 'node:assert/strict';
import { notFound } from '@gateway/core';
import { FailedStateError, UpstreamError, waitFor, waitForGone, waitForStatus } from '@gateway/openstack';

/** A clock that only the pauses move. */
function patience(over: { signal?: AbortSignal } = {}) {
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

/** Gives the values one after the other, the last for ever; throws those that are errors. */
function sequence<T>(...values: (T | Error)[]): { next: () => Promise<T>; asked: () => number } {
  let asked = 0;
  return {
    asked: () => asked,
    next: async () => {
      const value = values[Math.min(asked, values.length - 1)] as T | Error;
      asked += 1;
      if (value instanceof Error) throw value;
      return value;
    },
  };
}

function away(status = 503): UpstreamError {
  return new UpstreamError(status, 'upstream_unavailable', 'Away.', {
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

    assert.equal(await waitFor(source.next, patience()), 'there');
    assert.equal(source.asked(), 3);
  });

  it('throws a 504 after the timeout', async () => {
    const source = sequence<undefined>(undefined);

    await assert.rejects(waitFor(source.next, patience()), {
      status: 504,
      message: 'The volume was not ready in time.',
    });
    assert.equal(source.asked(), 11);
  });

  it('continues after transient errors', async () => {
    const source = sequence<string>(away(), away(504), 'there');

    assert.equal(await waitFor(source.next, patience()), 'there');
  });

  it('throws the transient error if it lasts until the timeout', async () => {
    await assert.rejects(waitFor(sequence<string>(away()).next, patience()), { status: 503 });
  });

  it('throws any other error at once', async () => {
    const source = sequence<string>(notFound('Gone.'));

    await assert.rejects(waitFor(source.next, patience()), { status: 404 });
    assert.equal(source.asked(), 1);
  });

  it("throws the signal's reason", async () => {
    const controller = new AbortController();
    controller.abort(new Error('cancelled'));

    await assert.rejects(waitFor(sequence('there').next, patience({ signal: controller.signal })), {
      message: 'cancelled',
    });
  });

  it('for a status returns the record with that status, ignoring case', async () => {
    const source = sequence({ status: 'BUILD' }, { status: 'ACTIVE' });

    const record = await waitForStatus(source.next, status, {
      ...patience(),
      targetStates: ['active'],
      failedStates: ['error'],
    });

    assert.deepEqual(record, { status: 'ACTIVE' });
  });

  it('for a status stops early in a failed state', async () => {
    const source = sequence({ status: 'creating' }, { status: 'error' });

    const error = await waitForStatus(source.next, status, {
      ...patience(),
      targetStates: ['available'],
      failedStates: ['error'],
    }).catch((thrown: unknown) => thrown);

    assert.ok(error instanceof FailedStateError);
    assert.deepEqual([error.status, error.resourceStatus], [502, 'error']);
    assert.equal(error.message, 'The volume went to the state error.');
    assert.equal(source.asked(), 2);
  });

  it('for a deletion accepts a 404', async () => {
    const source = sequence<{ status: string }>({ status: 'deleting' }, notFound('Gone.'));

    await waitForGone(source.next, status, patience());

    assert.equal(source.asked(), 2);
  });

  it('for a deletion accepts the given states', async () => {
    await waitForGone(sequence({ status: 'DELETED' }).next, status, {
      ...patience(),
      goneStates: ['deleted'],
    });
  });

  it('for a deletion stops early in a failed state', async () => {
    const options = { ...patience(), failedStates: ['error_deleting'] };

    await assert.rejects(
      waitForGone(sequence({ status: 'error_deleting' }).next, status, options),
      FailedStateError,
    );
  });
});
