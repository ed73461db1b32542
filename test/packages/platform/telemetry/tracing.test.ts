import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createTracing, type Tracing, type TracingConfig } from '@gateway/platform';
import { OtlpReceiver } from '../../../support/doubles/otlp-receiver.ts';
import { eventually } from '../../../support/eventually.ts';

const newId = (bytes: number) => randomBytes(bytes).toString('hex');

const ORIGIN = { gateway: 'north', region: 'RegionTwo' };

describe('traces', () => {
  let receiver: OtlpReceiver;
  let tracing: Tracing;
  let logged: string[];

  beforeEach(async () => {
    receiver = await OtlpReceiver.start();
    tracing = await start({ endpoint: receiver.url });
  });
  afterEach(async () => {
    await tracing.close();
    await receiver.stop();
  });

  async function start(
    { endpoint, sampleRatio = 1 }: Partial<TracingConfig>,
    headers?: string,
  ): Promise<Tracing> {
    logged = [];
    const log = (message: string) => logged.push(message);
    const started = await createTracing(
      { endpoint: endpoint ?? null, sampleRatio },
      { service: 'api', origin: ORIGIN, headers, logger: { warn: log, info: log } as never },
    );
    assert.ok(started !== null);
    return started;
  }

  it('are off without an endpoint', async () => {
    const off = await createTracing(
      { endpoint: null, sampleRatio: 1 },
      { service: 'api', logger: { warn: assert.fail, info: assert.fail } as never },
    );

    assert.equal(off, null);
  });

  it('nest spans through asynchronous calls, and keep concurrent actions apart', async () => {
    const act = (name: string) =>
      tracing.inSpan(name, { kind: 'consumer', parent: {} }, async () => {
        await pause(5);
        const inner = tracing.start(`${name} inner`, { kind: 'client', attributes: { answer: 42 } });
        inner.end();
      });
    await Promise.all([act('one'), act('two')]);
    await tracing.close();

    assert.equal(receiver.spans.length, 4);
    for (const name of ['one', 'two']) {
      const outer = receiver.spans.find((span) => span.name === name);
      const inner = receiver.spans.find((span) => span.name === `${name} inner`);
      assert.ok(outer && inner);
      assert.deepEqual([inner.traceId, inner.parentSpanId], [outer.traceId, outer.spanId]);
      assert.equal(outer.parentSpanId, '');
      assert.deepEqual(inner.attributes, { answer: 42 });
      assert.equal(inner.service, 'gateway-api');
      assert.deepEqual(inner.origin, ORIGIN);
    }
    assert.notEqual(receiver.spans[0]?.traceId, receiver.spans.at(-1)?.traceId);
  });

  it('continue the trace of the caller, with its state', async () => {
    const [traceId, parentSpanId] = [newId(16), newId(8)];
    const parent = { traceparent: `00-${traceId}-${parentSpanId}-01`, tracestate: 'vendor=1' };

    const span = tracing.start('GET', { kind: 'server', parent });
    span.end();
    await tracing.close();

    assert.deepEqual(span.context, {
      traceparent: `00-${traceId}-${receiver.spans[0]?.spanId}-01`,
      tracestate: 'vendor=1',
    });
    assert.deepEqual([receiver.spans[0]?.traceId, receiver.spans[0]?.parentSpanId], [traceId, parentSpanId]);
  });

  for (const traceparent of ['', 'nonsense', `00-${'0'.repeat(32)}-${newId(8)}-01`, `00-${newId(16)}-1-01`]) {
    it(`begin anew with the traceparent ${JSON.stringify(traceparent)}`, async () => {
      tracing.start('GET', { kind: 'server', parent: { traceparent } }).end();
      await tracing.close();

      assert.equal(receiver.spans[0]?.parentSpanId, '');
    });
  }

  it('have the configured headers', async () => {
    const withHeaders = await start({ endpoint: receiver.url }, 'authorization=Bearer%20hush');

    withHeaders.start('GET', { kind: 'server' }).end();
    await withHeaders.close();

    assert.equal(receiver.authorization, 'Bearer hush');
  });

  it('follow the decision of the caller whether to record, else the ratio', async () => {
    const never = await start({ endpoint: receiver.url, sampleRatio: 0 });
    const traceId = newId(16);
    const from = (flags: string) => ({ traceparent: `00-${traceId}-${newId(8)}-${flags}` });

    tracing.start('not recorded', { kind: 'server', parent: from('00') }).end();
    never.start('not sampled', { kind: 'server', parent: {} }).end();
    never.start('recorded', { kind: 'server', parent: from('01') }).end();
    await Promise.all([tracing.close(), never.close()]);

    assert.deepEqual(
      receiver.spans.map(({ name }) => name),
      ['recorded'],
    );
  });

  it('have the code of an error, never its message', async () => {
    const secret = 'what the service has said';
    await assert.rejects(
      tracing.inSpan('step', { kind: 'internal' }, async () => {
        throw Object.assign(new Error(secret), { code: 'conflict' });
      }),
    );
    await assert.rejects(
      tracing.inSpan('parked', { kind: 'internal', isExpected: () => true }, async () => {
        throw new Error(secret);
      }),
    );
    await tracing.close();

    const [failed, parked] = receiver.spans;
    assert.deepEqual([failed?.hasFailed, failed?.attributes['error.type']], [true, 'conflict']);
    assert.equal(parked?.hasFailed, false);
    assert.ok(!receiver.text.includes(secret));
  });

  it('are lost while the receiver rejects them, and logged once', async () => {
    receiver.isRefusing = true;
    tracing.start('lost', { kind: 'server' }).end();
    await eventually(async () => logged.length > 0);
    receiver.isRefusing = false;
    tracing.start('kept', { kind: 'server' }).end();
    await eventually(async () => logged.length > 1);

    assert.deepEqual(logged, ['Traces cannot be exported', 'Traces are exported again']);
    assert.deepEqual(
      receiver.spans.map(({ name }) => name),
      ['kept'],
    );
  });

  it('end a process in time without a response of the receiver', async () => {
    receiver.isSilent = true;
    const silent = await start({ endpoint: receiver.url });
    silent.start('lost', { kind: 'server' }).end();

    // The export itself ends after 5 s.
    const first = await Promise.race([silent.close(), pause(4_500, 'waited for the export')]);

    assert.equal(first, undefined);
    assert.equal(receiver.waiting, 1);
    // Else it would try again while a later suite runs.
    await eventually(async () => logged.length > 0);
  });
});
