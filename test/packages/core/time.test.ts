import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sleep, toTimestamp, unlessAborted } from '@gateway/core';

describe('toTimestamp', () => {
  it('accepts all formats of the services, as UTC', () => {
    const forms: [string | number, string][] = [
      ['2026-11-21T02:54:57Z', '2026-11-21T02:54:57Z'],
      ['2026-11-21T02:54:57.000000', '2026-11-21T02:54:57Z'],
      ['2026-11-21T02:54:57.999999Z', '2026-11-21T02:54:57Z'],
      ['2026-11-21 02:54:57', '2026-11-21T02:54:57Z'],
      ['2026-11-21T02:54:57+02:00', '2026-11-21T00:54:57Z'],
      ['2026-11-21T02:54:57-0530', '2026-11-21T08:24:57Z'],
      [Date.UTC(2026, 10, 21, 2, 54, 57), '2026-11-21T02:54:57Z'],
      [0, '1970-01-01T00:00:00Z'],
    ];
    for (const [value, expected] of forms) assert.equal(toTimestamp(value), expected, String(value));
  });

  it('does not read a timestamp without a zone as local time', () => {
    const zone = process.env.TZ;
    process.env.TZ = 'America/New_York';
    try {
      assert.equal(toTimestamp('2026-07-01T12:00:00.000000'), '2026-07-01T12:00:00Z');
      assert.equal(toTimestamp('2026-07-01 12:00:00'), '2026-07-01T12:00:00Z');
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it('is null for missing or invalid values', () => {
    for (const value of [null, undefined, '', 'yesterday', Number.NaN])
      assert.equal(toTimestamp(value), null);
  });
});

describe('sleep', () => {
  it('resolves after the given time', async () => {
    const begin = performance.now();

    await sleep(20);

    // Timers may fire a millisecond early.
    assert.ok(performance.now() - begin >= 19);
  });

  it("rejects with the signal's reason", async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const long = sleep(3_600_000, controller.signal);
    controller.abort(reason);
    await assert.rejects(long, reason);
  });

  it('does not keep the process alive after an abort', async () => {
    const script = `
      import { sleep } from '@gateway/core';
      const controller = new AbortController();
      sleep(3_600_000, controller.signal).catch(() => console.log('stopped'));
      controller.abort();`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { cwd: import.meta.dirname, timeout: 8_000 },
    );
    assert.equal(stdout, 'stopped\n');
  });

  it('rejects at once if the signal is already aborted', async () => {
    await assert.rejects(sleep(3_600_000, AbortSignal.abort(new Error('stopped'))), /stopped/);
  });

  it('removes its listener', async () => {
    let listeners = 0;
    const { signal } = new AbortController();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    await sleep(1, signal);
    assert.equal(listeners, 0);
  });
});

describe('unlessAborted', () => {
  const never = new Promise<void>(() => {});

  it('has the result or the error of the work', async () => {
    const { signal } = new AbortController();
    assert.equal(await unlessAborted(Promise.resolve('done'), signal), 'done');
    await assert.rejects(unlessAborted(Promise.reject(new Error('broken')), signal), /broken/);
  });

  it('waits neither for work nor for its error after an abort', async () => {
    const controller = new AbortController();
    const work = Promise.withResolvers<void>();
    const waiting = unlessAborted(work.promise, controller.signal);
    controller.abort(new Error('stopped'));
    await assert.rejects(waiting, /stopped/);
    work.reject(new Error('late'));
    await assert.rejects(unlessAborted(never, controller.signal), /stopped/);
  });
});
