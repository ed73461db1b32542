import assert from 'node:assert/strict';
import type { CloudsimControl, FaultSpec } from '../support/clients/cloudsim-control.ts';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

interface Created {
  id: string;
  name: string;
}

/** Longer than the calls of these tests take. */
const REACHED_MS = 20_000;

describe('a creation whose response is lost between the service and the gateway', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let control: CloudsimControl;
  let gateway: GatewayClient;
  let volumeId: string;
  let key = 0;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: { time_limits: { upstream_request_seconds: 3 } },
    });
    ({ control, gateway } = simulated);
  });

  beforeEach(async () => {
    const { body } = await post('/api/volumes', { name: 'source', size_gb: 1 });
    volumeId = body.id;
    await available();
    key += 1;
  });

  afterEach(async () => {
    await control.clear();
    await eventually(async () => {
      for (const path of [
        '/api/volume-snapshots',
        '/api/volumes/backups',
        '/api/volumes?refresh=true',
        '/api/file-storage?refresh=true',
      ]) {
        for (const { id } of await gateway.read<Created[]>(path)) {
          await gateway.request('DELETE', path.replace(/\?.*|$/, `/${id}`));
        }
      }
      assert.deepEqual(await control.inventory(), simulated.baseline);
      return true;
    });
  });

  after(() => simulated?.stop());

  /** Path, body, and the operations that create and list. */
  const creations: [string, (volumeId: string) => object, string, string][] = [
    ['/api/volumes', () => ({ name: 'lost', size_gb: 1 }), 'volumes.create', 'volumes.list_detail'],
    [
      '/api/volume-snapshots',
      (id) => ({ name: 'lost', volume_id: id }),
      'snapshots.create',
      'snapshots.list_detail',
    ],
    ['/api/file-storage', () => ({ name: 'lost', size_gb: 1 }), 'shares.create', 'shares.list_detail'],
    [
      '/api/volumes/backups',
      (id) => ({ name: 'lost', volume_id: id }),
      'backups.create',
      'backups.list_detail',
    ],
  ];
  const losses: [string, Omit<FaultSpec, 'operation'>][] = [
    ['answers 500', { status: 500 }],
    ['breaks the connection', { drop: true }],
    ['does not answer', { hang: true }],
  ];

  for (const [path, bodyOf, creates, lists] of creations) {
    for (const [what, fault] of losses) {
      it(`is returned by POST ${path} although the service ${what}`, async () => {
        await control.addFault({ operation: creates, after: true, ...fault });

        const answer = await post(path, bodyOf(volumeId));

        assert.equal(answer.status, 201, answer.text);
        assert.deepEqual(await rows(path), [answer.body.id]);
      });
    }

    it(`is returned to the repetition of POST ${path} with its key`, async () => {
      await control.addFault({ operation: creates, after: true, drop: true });
      await control.addFault({ operation: lists, nth: 2, times: 0, status: 503 });
      const lost = await post(path, bodyOf(volumeId), `key-${key}`);
      await control.clear();
      const [id, ...others] = await rows(path);

      const answer = await post(path, bodyOf(volumeId), `key-${key}`);
      const again = await post(path, bodyOf(volumeId), `key-${key}`);

      assert.equal(lost.status, 503, lost.text);
      assert.deepEqual([answer.status, answer.body.id, others], [201, id, []], answer.text);
      assert.deepEqual([again.status, again.body.id], [201, id]);
      assert.deepEqual(await rows(path), [id]);
    });
  }

  it('is not returned for another body or another key', async () => {
    await control.addFault({ operation: 'volumes.create', after: true, drop: true });
    await control.addFault({ operation: 'volumes.list_detail', nth: 2, times: 0, status: 503 });
    await post('/api/volumes', { name: 'lost', size_gb: 1 }, `key-${key}`);
    await control.clear();

    const otherBody = await post('/api/volumes', { name: 'lost', size_gb: 2 }, `key-${key}`);
    const otherKey = await post('/api/volumes', { name: 'lost', size_gb: 1 }, `key-${key}-other`);

    assert.deepEqual([otherBody.status, otherKey.status], [201, 201]);
    assert.equal(new Set(await rows('/api/volumes')).size, 3);
  });

  it("is returned to the repetition after the api's death", async () => {
    const hold = await control.hold('after', { operation: 'volumes.create' });
    const body = { name: 'lost', size_gb: 1 };
    const lost = post('/api/volumes', body, `key-${key}`).catch(() => null);
    assert.equal(await hold.waitUntilReached(REACHED_MS), 'held');
    const [api] = simulated.stack.apis;
    await api?.kill('SIGKILL');
    await lost;
    await hold.release();
    await api?.restart();

    const answer = await post('/api/volumes', body, `key-${key}`);

    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual(await rows('/api/volumes'), [answer.body.id]);
  });

  async function post(path: string, body: object, idempotencyKey?: string) {
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: {
        ...gateway.headers(),
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) as Created };
  }

  /** The ids of what the requests of a test have created. */
  async function rows(path: string): Promise<string[]> {
    const list = await gateway.read<Created[]>(path === '/api/volumes' ? `${path}?refresh=true` : path);
    return list.filter(({ name }) => name === 'lost').map(({ id }) => id);
  }

  function available(): Promise<true> {
    return eventually(async () => {
      const { status } = await gateway.read<{ status: string }>(`/api/volumes/${volumeId}`);
      return status === 'available';
    });
  }
});
