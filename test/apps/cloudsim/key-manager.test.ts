import assert from 'node:assert/strict';
import { type Client, startTestCloud, type TestCloud } from './client.ts';

const path = '/key-manager/v1/secrets';

describe('the simulated key manager', () => {
  let cloud: TestCloud;
  let demo: Client;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
  });
  afterEach(() => cloud.close());

  function create(change: object = {}, as: Pick<Client, 'call'> = demo) {
    return as.call('POST', path, {
      name: 'a key',
      secret_type: 'symmetric',
      algorithm: 'aes',
      bit_length: 256,
      payload: Buffer.alloc(32).toString('base64'),
      payload_content_type: 'application/octet-stream',
      payload_content_encoding: 'base64',
      ...change,
    });
  }

  async function idOfNew(change: object = {}): Promise<string> {
    const { status, body } = await create(change);
    assert.equal(status, 201);
    return new URL(body.secret_ref).pathname.slice(path.length + 1);
  }

  it('creates, shows and deletes secrets', async () => {
    const id = await idOfNew();

    const { status, body } = await demo.call('GET', `${path}/${id}`);
    const { created, updated, creator_id, secret_ref, ...secret } = body;
    assert.equal(status, 200);
    assert.deepEqual(secret, {
      status: 'ACTIVE',
      name: 'a key',
      secret_type: 'symmetric',
      expiration: null,
      algorithm: 'aes',
      bit_length: 256,
      mode: null,
      content_types: { default: 'application/octet-stream' },
    });
    assert.match(created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    assert.equal(updated, created);
    assert.equal(creator_id, demo.userId);
    assert.ok(secret_ref.endsWith(`${path}/${id}`));
    assert.equal((await demo.call('DELETE', `${path}/${id}`)).status, 204);
    assert.deepEqual((await demo.call('GET', `${path}/${id}`)).body, {
      code: 404,
      title: 'Not Found',
      description: 'Secret not found.',
    });
  });

  it('lists ten secrets at a time, and filters them by name', async () => {
    for (let number = 0; number < 11; number += 1) await idOfNew({ name: `key ${number}` });

    const first = (await demo.call('GET', path)).body;
    const second = (await demo.call('GET', path + new URL(first.next).search)).body;
    const named = (await demo.call('GET', `${path}?name=key%203`)).body;

    assert.deepEqual([first.secrets.length, first.total, first.previous], [10, 11, undefined]);
    assert.deepEqual([second.secrets.length, second.total, second.next], [1, 11, undefined]);
    assert.deepEqual(
      named.secrets.map(({ name }: { name: string }) => name),
      ['key 3'],
    );
  });

  it('hides the secrets of other projects', async () => {
    const id = await idOfNew();
    const alice = await cloud.as('alice');

    assert.deepEqual((await alice.call('GET', path)).body, { secrets: [], total: 0 });
    for (const method of ['GET', 'DELETE'])
      assert.equal((await alice.call(method, `${path}/${id}`)).status, 404, method);
  });

  for (const [what, change] of [
    ['no payload', { payload: undefined }],
    ['a payload in another encoding', { payload_content_encoding: undefined }],
    ['a payload that is not base64', { payload: '%%%' }],
    ['an unknown type', { secret_type: 'of mine' }],
    ['no bits', { bit_length: 0 }],
  ] as const) {
    it(`refuses ${what}`, async () => {
      assert.equal((await create(change)).status, 400);
    });
  }
});
