import assert from 'node:assert/strict';
import { notFound } from '@gateway/core';
import { type ReadSource, SharedReads, UpstreamError } from '@gateway/openstack';

interface Item {
  id: string;
  status: string;
}

/** A service with items, of which it counts the reads. */
class Service implements ReadSource<Item> {
  readonly items = new Map<string, Item>();
  readonly calls: string[] = [];
  listError: Error | null = null;
  /** Reads wait for it. */
  gate: Promise<void> = Promise.resolve();

  constructor(...ids: string[]) {
    for (const id of ids) this.items.set(id, { id, status: 'creating' });
  }

  async get(id: string): Promise<Item> {
    this.calls.push(`get ${id}`);
    const item = this.items.get(id);
    await this.gate;
    if (item === undefined) throw notFound('There is no such item.');
    return item;
  }

  async list(): Promise<Item[]> {
    this.calls.push('list');
    const items = [...this.items.values()];
    await this.gate;
    if (this.listError !== null) throw this.listError;
    return items;
  }
}

const GAP_MS = 5;

describe('reads for waits', () => {
  let reads: SharedReads;
  let service: Service;
  const read = (id: string, source: ReadSource<Item> = service) => reads.reader().read('item p1', id, source);

  beforeEach(() => {
    reads = new SharedReads(GAP_MS);
    service = new Service('a', 'b', 'c');
  });

  /** One read that the next ones come after. */
  async function hold(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    service.gate = promise;
    const before = service.calls.length;
    void read('a');
    while (service.calls.length === before) await new Promise(setImmediate);
    return () => resolve();
  }

  it('of one resource are reads of that resource', async () => {
    for (let count = 0; count < 3; count += 1) await read('a');

    assert.deepEqual(service.calls, ['get a', 'get a', 'get a']);
  });

  it('do not wait for each other one after the other', async () => {
    reads = new SharedReads(60_000);
    for (const id of ['a', 'b']) {
      const reader = reads.reader();
      await reader.read('item p1', id, service);
      reader.close();
    }

    assert.deepEqual(service.calls, ['get a', 'get b']);
  });

  it('of several resources of a project share a list', async () => {
    const release = await hold();
    const both = Promise.all([read('b'), read('c')]);
    release();

    assert.deepEqual(
      (await both).map(({ id }) => id),
      ['b', 'c'],
    );
    assert.deepEqual(service.calls, ['get a', 'list']);
  });

  it('of one resource by several callers share that read', async () => {
    const release = await hold();
    const both = Promise.all([read('b'), read('b')]);
    release();

    assert.deepEqual(
      (await both).map(({ id }) => id),
      ['b', 'b'],
    );
    assert.deepEqual(service.calls, ['get a', 'get b']);
  });

  it('of different projects share nothing', async () => {
    const release = await hold();
    const others = ['p2', 'p3'].map((project) => reads.reader().read(`item ${project}`, 'b', service));
    release();
    await Promise.all(others);

    assert.deepEqual(service.calls, ['get a', 'get b', 'get b']);
  });

  it('begin after they were asked for', async () => {
    const release = await hold();
    const first = Promise.all([read('b'), read('c')]);
    release();
    await first;
    const { promise, resolve } = Promise.withResolvers<void>();
    service.gate = promise;
    const old = Promise.all([read('b'), read('c')]);
    while (service.calls.length < 3) await new Promise(setImmediate);
    service.items.set('b', { id: 'b', status: 'available' });

    const fresh = read('b');
    resolve();

    assert.equal((await old)[0]?.status, 'creating');
    assert.equal((await fresh).status, 'available');
  });

  it('do not wait for one that hangs', async () => {
    await hold();
    const reader = reads.reader();
    const free = new Service('b');

    assert.equal((await reader.read('item p1', 'b', free)).id, 'b');
  });

  it('read resources that are not in the list separately', async () => {
    const release = await hold();
    const answers = Promise.allSettled([read('b'), read('gone')]);
    release();

    const [b, gone] = await answers;
    assert.equal(b?.status, 'fulfilled');
    assert.equal((gone as PromiseRejectedResult).reason.status, 404);
    assert.deepEqual(service.calls, ['get a', 'list', 'get gone']);
  });

  it('continue without the caller whose rights have ended', async () => {
    const release = await hold();
    const ended = new Service();
    const refusal = new UpstreamError(401, 'unauthorized', 'Expired.', upstreamFacts(401));
    ended.listError = refusal;
    ended.get = () => Promise.reject(refusal);
    const answers = Promise.allSettled([read('b', ended), read('c')]);
    release();

    const [b, c] = await answers;
    assert.equal((b as PromiseRejectedResult).reason, refusal);
    assert.equal((c as PromiseFulfilledResult<Item>).value.id, 'c');
  });

  it('do not ask for each resource while the service is unavailable', async () => {
    const release = await hold();
    service.listError = new UpstreamError(503, 'upstream_unavailable', 'Busy.', upstreamFacts(503));
    const answers = Promise.allSettled([read('b'), read('c')]);
    release();

    assert.deepEqual(
      (await answers).map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.deepEqual(service.calls, ['get a', 'list']);
  });

  it('avoid the list of a project that has much more', async () => {
    for (let index = 0; index < 1_000; index += 1)
      service.items.set(`${index}`, { id: `${index}`, status: '' });
    const release = await hold();
    const first = Promise.all([read('b'), read('c')]);
    release();
    await first;

    await Promise.all([read('a'), read('b')]);

    assert.deepEqual(service.calls.slice(0, 2), ['get a', 'list']);
    assert.deepEqual(service.calls.slice(2).sort(), ['get a', 'get b']);
  });
});

function upstreamFacts(status: number) {
  return {
    service: 'compute',
    operation: 'servers.list',
    upstreamStatus: status,
    upstreamMessage: null,
    upstreamRequestId: null,
  } as const;
}
