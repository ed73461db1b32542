import assert from 'node:assert/strict';
import { eachItem, eachRow, GatewayClient } from '../../../packages/client/src/index.ts';
import { json, StreamServer } from './stream-server.ts';

describe('the rows of a list', () => {
  let server: StreamServer;

  beforeEach(() => {
    server = new StreamServer();
  });

  afterEach(() => server.stop());

  async function clientFor(...answers: Parameters<StreamServer['start']>): Promise<GatewayClient> {
    return new GatewayClient({ url: await server.start(...answers) });
  }

  const linesSeen = () => server.seen.map(({ line }) => line);

  it('are read part by part, until one is not full', async () => {
    const client = await clientFor(json(200, [{ id: 'a' }, { id: 'b' }]), json(200, [{ id: 'c' }]));

    const volumes = eachRow(
      (part) => client.request('GET /api/volumes', { query: { status: 'available', ...part } }),
      2,
    );
    const ids = (await Array.fromAsync(volumes)).map(({ id }) => id);

    assert.deepEqual(ids, ['a', 'b', 'c']);
    assert.deepEqual(linesSeen(), [
      'GET /api/volumes?status=available&limit=2',
      'GET /api/volumes?status=available&limit=2&marker=b',
    ]);
  });

  it('can be identified by another field', async () => {
    const client = await clientFor(json(200, [{ name: 'a' }]), json(200, []));

    const keyPairs = eachRow(
      (part) => client.request('GET /api/keypairs', { query: part }),
      1,
      ({ name }) => name,
    );

    assert.equal((await Array.fromAsync(keyPairs)).length, 1);
    assert.deepEqual(linesSeen(), ['GET /api/keypairs?limit=1', 'GET /api/keypairs?limit=1&marker=a']);
  });

  it('without ids are refused, unless another field is named', async () => {
    const client = await clientFor(json(200, [{ name: 'a' }, { name: 'b' }]));

    const keyPairs = eachRow((part) => client.request('GET /api/keypairs', { query: part }));

    await assert.rejects(Array.fromAsync(keyPairs), { message: /^The rows have no id/ });
  });

  const gone = json(400, {
    detail: 'The marker is not the id of an item of the list.',
    errors: [{ field: 'query.marker', message: 'must be the id of an item of the list' }],
  });

  it('are read again, each once, if the last of a part goes', async () => {
    const client = await clientFor(
      json(200, [{ id: 'a' }, { id: 'b' }]),
      gone,
      json(200, [{ id: 'a' }, { id: 'c' }]),
      json(200, [{ id: 'd' }]),
    );

    const volumes = eachRow((part) => client.request('GET /api/volumes', { query: part }), 2);

    assert.deepEqual(
      (await Array.fromAsync(volumes)).map(({ id }) => id),
      ['a', 'b', 'c', 'd'],
    );
    assert.equal(server.seen.length, 4);
  });

  it('are not read a third time, nor for a given marker', async () => {
    const client = await clientFor(
      json(200, { items: [{ id: 'a' }], next_marker: 'a', count: 1 }),
      gone,
      json(200, { items: [{ id: 'b' }], next_marker: 'b', count: 1 }),
      gone,
      gone,
    );
    const jobs = (first?: string) =>
      Array.fromAsync(
        eachItem((marker = first) => client.request('GET /api/jobs', { query: { limit: 1, marker } })),
      );

    await assert.rejects(jobs(), { status: 400 });
    assert.equal(server.seen.length, 4);
    await assert.rejects(jobs('unknown'), { status: 400 });
    assert.equal(server.seen.length, 5);
  });

  it('are read only as far as they are used', async () => {
    const client = await clientFor(json(200, [{ id: 'a' }, { id: 'b' }]));

    for await (const { id } of eachRow((part) => client.request('GET /api/volumes', { query: part }), 2)) {
      if (id === 'b') break;
    }

    assert.equal(server.seen.length, 1);
  });
});
