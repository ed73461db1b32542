import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { JobWatcher } from '../support/clients/job-watcher.ts';
import { openStream } from '../support/clients/sse-client.ts';
import { OtlpReceiver, type ReceivedSpan } from '../support/doubles/otlp-receiver.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

const newId = (bytes: number) => randomBytes(bytes).toString('hex');
const CREATION = 'job instance.create';

describe('the traces of a creation', function () {
  this.timeout(180_000);
  let receiver: OtlpReceiver;
  let simulated: SimulatedStack;

  before(async () => {
    receiver = await OtlpReceiver.start();
    simulated = await SimulatedStack.start({
      workers: 2,
      config: { jobs: { lock_seconds: 3 } },
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url },
    });
  });
  afterEach(() => simulated?.restore());
  after(async () => {
    await simulated?.stop();
    await receiver?.stop();
  });

  /** Starts a creation as part of a new trace. */
  async function create() {
    const caller = { traceId: newId(16), spanId: newId(8) };
    const { gateway, request, stack } = simulated;
    const headers = {
      ...gateway.headers(),
      traceparent: `00-${caller.traceId}-${caller.spanId}-01`,
      tracestate: 'dashboard=7',
    };
    const stream = await openStream(`${stack.url}/api/instances/async`, {
      method: 'POST',
      headers,
      body: request,
    });
    const watcher = new JobWatcher();
    const jobId = stream.headers.get('x-job-id') ?? '';
    const follow = (seen?: string) => gateway.followJob(jobId, seen);
    return { caller, jobId, watcher, ended: watcher.followToEnd(stream, follow, 120_000) };
  }

  /** The spans of a trace, once the one that ends last has arrived. */
  async function spansOf(traceId: string): Promise<ReceivedSpan[]> {
    await eventually(async () => {
      const spans = receiver.ofTrace(traceId);
      const hasEnded = spans.some(({ attributes }) => attributes['gateway.job.outcome'] !== undefined);
      return hasEnded && spans.some(({ kind }) => kind === 2);
    });
    return receiver.ofTrace(traceId);
  }

  it('lead from the request over job and steps to each call', async () => {
    const { caller, jobId, watcher, ended } = await create();
    assert.ok(await ended);
    assert.equal(watcher.last?.step, 'COMPLETED', watcher.last?.error ?? '');

    const spans = await spansOf(caller.traceId);
    const named = (name: string) => spans.find((span) => span.name === name);
    const pathTo = (span: ReceivedSpan | undefined): string[] => {
      if (span === undefined) return [];
      return [...pathTo(spans.find(({ spanId }) => spanId === span.parentSpanId)), span.name];
    };

    const request = named('POST /api/instances/async');
    assert.equal(request?.parentSpanId, caller.spanId);
    assert.equal(request?.attributes['gateway.job.id'], jobId);
    assert.deepEqual(pathTo(named('compute servers.create')), [
      'POST /api/instances/async',
      'enqueue instance.create',
      CREATION,
      'step server',
      'compute servers.create',
    ]);
    assert.equal(named('step server')?.service, 'gateway-worker');
    assert.equal(named('compute servers.create')?.attributes['http.response.status_code'], 202);
    assert.equal(named(CREATION)?.attributes['gateway.job.outcome'], 'completed');
    // The steps are siblings, and every span has a parent in the trace.
    assert.ok(spans.filter(({ name }) => name.startsWith('step ')).length >= 4);
    const ids = new Set([caller.spanId, ...spans.map(({ spanId }) => spanId)]);
    assert.deepEqual(
      spans.filter(({ parentSpanId }) => !ids.has(parentSpanId)),
      [],
    );

    const calls = await simulated.control.calls(String(request?.attributes['gateway.request_id']));
    assert.ok(calls.length > 5);
    for (const { traceparent, operation } of calls) {
      const [, traceId, spanId] = traceparent?.split('-') ?? [];
      const span = spans.find((candidate) => candidate.spanId === spanId);
      assert.equal(traceId, caller.traceId, `${operation}`);
      assert.equal(span?.kind, 3, `${operation}`);
    }
  });

  it('include requests from the cache, and rejected requests', async () => {
    const traceId = newId(16);
    const { gateway, stack } = simulated;
    const headers = { ...gateway.headers(), traceparent: `00-${traceId}-${newId(8)}-01` };
    const statuses: number[] = [];
    for (const path of ['/api/images', '/api/images', '/api/jobs/none', '/nowhere']) {
      statuses.push((await fetch(stack.url + path, { headers })).status);
    }

    const requests = await eventually(async () => {
      const found = receiver.ofTrace(traceId).filter(({ kind }) => kind === 2);
      return found.length === statuses.length ? found : undefined;
    });
    assert.deepEqual(
      requests.map(({ name, attributes }) => [name, attributes['http.response.status_code']]).sort(),
      [
        ['GET /api/images', 200],
        ['GET /api/images', 200],
        ['GET /api/jobs/:job_id', statuses[2]],
        ['GET unknown', 404],
      ],
    );
    const lists = receiver.ofTrace(traceId).filter(({ name }) => name === 'image images.list');
    assert.ok(lists.length <= 1, 'the second list came from the cache');
  });

  it('contain no secrets, bodies or names', async () => {
    const { caller, ended } = await create();
    assert.ok(await ended);
    await spansOf(caller.traceId);

    const { gateway, request } = simulated;
    for (const secret of [gateway.token, request.name, 'demo-secret', 'x-auth-token', '/v3/', '/v2.1/']) {
      assert.ok(!receiver.text.includes(secret), secret);
    }
  });

  it("continue when another worker finishes a killed worker's job", async () => {
    const hold = await simulated.control.hold('after', { service: 'compute', operation: 'servers.create' });
    const { caller, jobId, watcher, ended } = await create();
    assert.equal(await hold.waitUntilReached(60_000), 'held');
    // The steps before the held one have been exported.
    const before = await eventually(async () => {
      const found = receiver.ofTrace(caller.traceId).filter(({ name }) => name === 'step boot-volume');
      return found[0];
    });
    const victim = simulated.stack.workers.find((worker) =>
      worker.logs().some((line) => line.includes(jobId) && line.includes('Job run started')),
    );
    assert.ok(victim);
    await victim.kill('SIGKILL');
    await hold.release();

    assert.ok(await ended);
    assert.equal(watcher.last?.step, 'COMPLETED', watcher.last?.error ?? '');
    const spans = await spansOf(caller.traceId);
    const runs = spans.filter(({ name }) => name === CREATION);
    assert.ok(runs.length > 0);
    const finished = runs.find(({ attributes }) => attributes['gateway.job.outcome'] === 'completed');
    assert.ok(finished);
    assert.notEqual(finished.process, before.process);
    // The killed run could not export its own span; both are children of the same one.
    const enqueued = spans.find(({ name }) => name === 'enqueue instance.create');
    assert.equal(finished.parentSpanId, enqueued?.spanId);
    assert.equal(spans.filter(({ name }) => name === 'step boot-volume').length, 1);
    assert.ok(
      spans.some(({ name, process }) => name === 'step server' && process === finished.process),
      'the other worker continued with the step that was interrupted',
    );
    await victim.restart();
  });
});
