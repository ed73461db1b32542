import assert from 'node:assert/strict';
import { eachRow, GatewayClient } from '../../../packages/client/src/index.ts';
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

  it('are read only as far as they are used', async () => {
    const client = await clientFor(json(200, [{ id: 'a' }, { id: 'b' }]));

    for await (const { id } of eachRow((part) => client.request('GET /api/volumes', { query: part }), 2)) {
      if (id === 'b') break;
    }

    assert.equal(server.seen.length, 1);
  });
});
