import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isConnectError, isTransient, type UpstreamError } from '@gateway/openstack';
import { listenLocally, stopListening } from '../../support/doubles/local-server.ts';
import { eventually } from '../../support/eventually.ts';
import { call, recordedIdentity, testCloud } from './cloud.ts';

/** A service that responds when the test releases it. */
class HeldService {
  readonly requests: string[] = [];
  readonly #held: ServerResponse[] = [];
  readonly #server = createServer((request, response) => this.#receive(request, response));
  mostInFlight = 0;
  url = '';

  async start(): Promise<void> {
    this.url = `http://127.0.0.1:${await listenLocally(this.#server)}`;
  }

  get inFlight(): number {
    return this.#held.length;
  }

  answerFirst(): void {
    const body = { keypairs: [], limits: { absolute: {} }, keypair: { name: 'one' } };
    this.#held.shift()?.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  async waitFor(inFlight: number): Promise<void> {
    await eventually(async () => this.inFlight === inFlight);
  }

  close(): Promise<void> {
    return stopListening(this.#server);
  }

  #receive({ method }: IncomingMessage, response: ServerResponse): void {
    this.requests.push(String(method));
    this.#held.push(response);
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
  }
}

describe('the calls of a process to a service', () => {
  let service: HeldService;

  beforeEach(async () => {
    service = new HeldService();
    await service.start();
  });
  afterEach(() => service.close());

  function client({ limit = 2, queueSeconds = 60, signal, beforeSend }: Options = {}) {
    const { openstack } = testCloud({
      upstream: { proxy: null, noProxy: [], maxConcurrentCalls: 50, services: { compute: limit } },
      timeLimits: { upstreamRequestSeconds: 60, upstreamQueueSeconds: queueSeconds },
    });
    const identity = recordedIdentity();
    const endpoints = { ...identity.endpoints, compute: service.url, image: service.url };
    const bound = openstack.as({ ...identity, endpoints }, { ...call, retry: 'none', signal, beforeSend });
    return { bound, openstack };
  }

  interface Options {
    limit?: number;
    queueSeconds?: number;
    signal?: AbortSignal;
    beforeSend?: () => Promise<void>;
  }

  it('are never more in flight than configured, and all are made', async () => {
    const { bound, openstack } = client();
    const lists = Promise.all(Array.from({ length: 20 }, () => bound.compute.keypairs.list()));
    await service.waitFor(2);
    assert.deepEqual(openstack.load().compute, { inFlight: 2, waiting: 18 });
    for (let answered = 0; answered < 20; answered += 1) {
      await eventually(async () => service.inFlight > 0);
      service.answerFirst();
    }
    await lists;
    assert.deepEqual([service.requests.length, service.mostInFlight], [20, 2]);
    assert.deepEqual(openstack.load().compute, { inFlight: 0, waiting: 0 });
  });

  it('do not wait for those to another service', async () => {
    const { bound, openstack } = client({ limit: 1 });
    const compute = bound.compute.keypairs.list();
    await service.waitFor(1);
    const image = bound.image.images.list().catch((error: unknown) => error);
    await service.waitFor(2);
    assert.equal(openstack.load().image.inFlight, 1);
    service.answerFirst();
    service.answerFirst();
    await Promise.all([compute, image]);
  });

  it('wait in their order, writes before reads', async () => {
    const { bound } = client({ limit: 1 });
    const calls = [bound.compute.keypairs.list()];
    await service.waitFor(1);
    calls.push(bound.compute.keypairs.list());
    const write = bound.compute.keypairs.create({ name: 'one' });
    for (let sent = 1; sent <= 3; sent += 1) {
      await eventually(async () => service.requests.length === sent);
      service.answerFirst();
    }
    await Promise.all([...calls, write]);
    assert.deepEqual(service.requests, ['GET', 'POST', 'GET']);
  });

  it('are reads as well while writes never end', async () => {
    const { bound } = client({ limit: 1 });
    const calls: Promise<unknown>[] = Array.from({ length: 9 }, () =>
      bound.compute.keypairs.create({ name: 'one' }),
    );
    await service.waitFor(1);
    calls.push(bound.compute.keypairs.list());
    for (let sent = 1; sent <= 10; sent += 1) {
      await eventually(async () => service.requests.length === sent);
      service.answerFirst();
    }
    await Promise.all(calls);
    assert.equal(service.requests.indexOf('GET'), 4);
  });

  it('fail if they wait too long, without having been sent', async () => {
    const { bound } = client({ limit: 1, queueSeconds: 0.01 });
    const first = bound.compute.keypairs.list();
    await service.waitFor(1);

    const error = await bound.compute.keypairs.create({ name: 'one' }).catch((thrown: unknown) => thrown);

    const { code, status, retryAfterSeconds } = error as UpstreamError;
    assert.deepEqual([status, code, retryAfterSeconds], [503, 'upstream_busy', 5]);
    // A saga repeats the call, and need not search for its effect.
    assert.deepEqual([isTransient(error), isConnectError(error)], [true, true]);
    service.answerFirst();
    await first;
    assert.deepEqual(service.requests, ['GET']);
  });

  it("end with their signal's reason, even while queued", async () => {
    const stopping = new AbortController();
    const { bound, openstack } = client({ limit: 1, signal: stopping.signal });
    const sent = bound.compute.keypairs.list();
    await service.waitFor(1);
    const waiting = bound.compute.keypairs.list();
    const reason = new Error('The job was cancelled.');
    stopping.abort(reason);

    for (const ended of [sent, waiting]) await assert.rejects(ended, reason);
    await assert.rejects(bound.compute.keypairs.list(), reason);
    assert.deepEqual(openstack.load().compute, { inFlight: 0, waiting: 0 });
    assert.deepEqual(service.requests, ['GET']);
  });

  it('leave their slots also if they are not sent', async () => {
    const refusal = new Error('Too many refused tokens.');
    const stopping = new AbortController();
    const guards = [
      async () => {
        throw refusal;
      },
      async () => stopping.abort(refusal),
    ];

    for (const beforeSend of guards) {
      const { bound, openstack } = client({ signal: stopping.signal, beforeSend });
      await assert.rejects(bound.compute.keypairs.list(), refusal);
      await eventually(async () => openstack.load().compute.inFlight === 0);
    }

    assert.deepEqual(service.requests, []);
  });
});
