import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { notFound, upstreamFailed } from '@gateway/core';
import { lineOf, logged, written } from './log-capture.ts';

describe('a logger', () => {
  it('writes a record as one line of JSON', async () => {
    const line = await lineOf((log) =>
      log.info('Request finished.', { method: 'GET', status: 200, cached: true }),
    );

    assert.match(String(line.time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(
      { ...line, time: '' },
      {
        time: '',
        level: 'info',
        app: 'api',
        message: 'Request finished.',
        method: 'GET',
        status: 200,
        cached: true,
      },
    );
  });

  it('omits records below its level', async () => {
    const text = await written(
      (log) => {
        log.debug('No.');
        log.info('No.');
        log.warn('Yes.');
        log.error('Yes.');
      },
      { level: 'warn' },
    );

    assert.equal(text.match(/"message":"Yes\."/g)?.length, 2);
    assert.doesNotMatch(text, /No\./);
  });

  it('writes the records of an audit whatever its level is, as info', async () => {
    const text = await written((log) => log.record('Said.'), { level: 'error' });

    assert.match(text, /"level":"info","app":"api","message":"Said\."}/);
  });

  it("adds a child's metadata to its lines, which may override it", async () => {
    const line = await lineOf((log) =>
      log.child({ request_id: 'req-1', step: 'a' }).child({ job_id: 'j' }).info('Said.', { step: 'b' }),
    );

    assert.equal(line.request_id, 'req-1');
    assert.equal(line.job_id, 'j');
    assert.equal(line.step, 'b');
  });

  it('writes its gateway and region into every line', async () => {
    const origin = { gateway: 'north', region: 'RegionTwo' };

    const json = await written((log) => log.child({ step: 'a' }).info('Said.'), { origin });
    const text = await written((log) => log.info('Said.'), { origin, format: 'text' });

    assert.match(json, /"app":"api","gateway":"north","region":"RegionTwo","message":"Said\."/);
    assert.match(text, / INFO {2}api of north in RegionTwo: Said\.\n$/);
  });

  it('writes plain text in one line, whatever the message contains', async () => {
    const text = await written((log) => log.warn('Two\nlines \u001b[31m', { route: '/api', reason: 'a b' }), {
      format: 'text',
    });

    assert.match(
      text,
      /^\d\d:\d\d:\d\d\.\d{3} WARN {2}api: Two\\nlines \\u001b\[31m route=\/api reason="a b"\n$/,
    );
  });

  it('writes nothing as plain text that a terminal obeys', async () => {
    const text = await written(
      (log) => log.warn('A\u009b31m', { name: 'b\u202ec\u007f', 'd\u001b[2J': '\u2066e' }),
      { format: 'text' },
    );

    assert.match(text, / A\\u009b31m name=b\\u202ec\\u007f d\\u001b\[2J=\\u2066e\n$/);
  });

  it('writes the last lines before the process exits', () => {
    const script = `
      import { createLogger } from '@gateway/platform';
      const log = createLogger({ level: 'info', format: 'auto', service: 'api' });
      await null;
      for (let i = 0; i < 1000; i++) log.info('Said.', { i });
      setImmediate(() => { log.info('Last.'); process.nextTick(() => process.exit()); });`;

    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });

    const lines = stdout.trimEnd().split('\n');
    assert.equal(lines.length, 1001);
    assert.equal(JSON.parse(lines.at(-1) ?? '').message, 'Last.');
  });

  describe('writes of an error', () => {
    it('name, message, code, stack and causes, and no other property', async () => {
      const cause = Object.assign(new Error('connect ECONNREFUSED'), {
        code: 'ECONNREFUSED',
        options: { headers: 1 },
      });

      const { error } = (await logged({ error: new TypeError('No answer.', { cause }) })) as {
        error: Record<string, unknown>;
      };

      assert.deepEqual(Object.keys(error), ['name', 'message', 'stack', 'cause']);
      assert.match(String(error.stack), /logger\.test/);
      assert.deepEqual(Object.keys(error.cause as object), ['name', 'message', 'code', 'stack']);
    });

    it('no stack if the error is for an API user', async () => {
      const error = upstreamFailed('The service answered with an error.', {
        cause: new Error('Response code 500'),
        upstream: { service: 'compute', status: 500, request_id: 'req-2' },
      });

      assert.deepEqual(await logged({ error }), {
        error: {
          name: 'GatewayError',
          message: 'The service answered with an error.',
          code: 'upstream_error',
          status: 502,
          upstream: { service: 'compute', status: 500, request_id: 'req-2' },
          cause: { name: 'Error', message: 'Response code 500' },
        },
      });
    });

    it('each error of an aggregate', async () => {
      const { error } = (await logged({ error: new AggregateError([notFound('a'), notFound('b')]) })) as {
        error: { errors: { message: string }[] };
      };

      assert.deepEqual(
        error.errors.map(({ message }) => message),
        ['a', 'b'],
      );
    });
  });

  describe('survives', () => {
    it('circular values', async () => {
      const loop: Record<string, unknown> = { a: 1 };
      loop.self = loop;

      assert.deepEqual(await logged({ loop }), { loop: { a: 1, self: '[circular]' } });
    });

    it('the same value twice', async () => {
      const shared = { a: 1 };

      assert.deepEqual(await logged({ x: shared, y: shared }), { x: { a: 1 }, y: { a: 1 } });
    });

    it('unlimited depth', async () => {
      const deep = JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`);

      assert((await written((log) => log.info('Said.', { deep }))).length < 200);
    });

    it('unlimited width and length', async () => {
      const many = Array.from({ length: 100_000 }, (_, i) => ({ name: `n${i}`, text: 'x'.repeat(20_000) }));

      const text = await written((log) => log.info('Said.', { many, long: 'y'.repeat(1_000_000) }));

      assert(text.length < 100_000);
      JSON.parse(text);
    });

    it('values that JSON cannot represent', async () => {
      const thrower = {
        get broken() {
          throw new Error('no');
        },
      };

      assert.deepEqual(
        await logged({
          big: 10n,
          nan: Number.NaN,
          none: undefined,
          bytes: Buffer.from('secret'),
          map: new Map([['a', new Set([1])]]),
          date: new Date(0),
          bad: new Date('no'),
          f: () => 1,
          thrower,
        }),
        {
          big: '10',
          nan: 'NaN',
          bytes: '[6 bytes]',
          map: { a: [1] },
          date: '1970-01-01T00:00:00.000Z',
          bad: '[invalid date]',
          f: '[function]',
          thrower: '[unreadable]',
        },
      );
    });
  });
});
