import assert from 'node:assert/strict';
import { type Client, startTestCloud, type TestCloud } from './client.ts';

const FORMATS = { disk_format: 'raw', container_format: 'bare' };

describe('simulated image service', () => {
  let cloud: TestCloud;
  let demo: Client;
  let alice: Client;
  let admin: Client;

  beforeEach(async () => {
    cloud = await startTestCloud();
    [demo, alice, admin] = [await cloud.as('demo'), await cloud.as('alice'), await cloud.as('admin')];
  });
  afterEach(() => cloud.close());

  async function register(owner: Client, visibility: string): Promise<string> {
    const answer = await owner.call('POST', '/image/v2/images', { name: visibility, visibility, ...FORMATS });
    assert.equal(answer.status, 201);
    return answer.body.id;
  }

  /** The visibilities of the listed images, except seeded ones. */
  async function listed(client: Client, query = ''): Promise<string[]> {
    const { body } = await client.call('GET', `/image/v2/images${query}`);
    const images = body.images as { name: string; visibility: string }[];
    return images
      .filter(({ name, visibility }) => name === visibility)
      .map(({ name }) => name)
      .sort();
  }

  it('lists private and shared images to their own project and to administrators', async () => {
    for (const visibility of ['private', 'shared', 'community']) await register(alice, visibility);

    assert.deepEqual(await listed(alice), ['community', 'private', 'shared']);
    assert.deepEqual(await listed(demo), []);
    assert.deepEqual(await listed(admin), ['private', 'shared']);
    assert.deepEqual(await listed(demo, '?visibility=all'), ['community']);
    assert.deepEqual(await listed(demo, '?visibility=community'), ['community']);
    assert.deepEqual(await listed(admin, '?visibility=private'), ['private']);
    assert.deepEqual(await listed(demo, '?visibility=private'), []);
  });

  it('hides private and shared images from other projects, not community images', async () => {
    const statuses = [];
    for (const visibility of ['private', 'shared', 'community']) {
      const id = await register(alice, visibility);
      statuses.push((await demo.call('GET', `/image/v2/images/${id}`)).status);
    }
    assert.deepEqual(statuses, [404, 404, 200]);
  });

  it("accepts an image's data once, and only from its project", async () => {
    const id = await register(alice, 'private');
    const path = `/image/v2/images/${id}`;
    const queued = (await alice.call('GET', path)).body;

    const refused = await demo.call('PUT', `${path}/file`, 'not json');
    const taken = await alice.call('PUT', `${path}/file`, 'not json');
    const again = await alice.call('PUT', `${path}/file`, 'not json');

    assert.deepEqual([queued.status, queued.size, queued.checksum], ['queued', null, null]);
    assert.deepEqual([refused.status, taken.status, again.status], [404, 204, 409]);
    const { status, size } = (await alice.call('GET', path)).body;
    assert.deepEqual([status, size], ['active', 8]);
  });

  it('allows only administrators to publish', async () => {
    const wanted = { name: 'mine', visibility: 'public', ...FORMATS };
    assert.equal((await demo.call('POST', '/image/v2/images', wanted)).status, 403);
    assert.equal((await admin.call('POST', '/image/v2/images', wanted)).status, 201);
  });
});
