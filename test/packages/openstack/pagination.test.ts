import assert from 'node:assert/strict';
import { fixture, fixtureBody, mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { recordedIdentity, testCloud } from './cloud.ts';

type Rows = { id: string }[];

function ids(...bodies: Rows[]): string[] {
  return bodies.flatMap((rows) => rows.map(({ id }) => id));
}

describe('a list', () => {
  let upstream: Upstream;
  beforeEach(() => {
    upstream = mockUpstream();
  });
  afterEach(() => upstream.close());

  it('of the compute service is followed to its last page', async () => {
    upstream
      .reply('compute/servers-page-first', { path: '/v2.1/servers/detail' })
      .reply('compute/servers-page-next');

    const servers = await testCloud().mine().compute.servers.list();

    const first = fixtureBody<Rows>('compute/servers-page-first', 'servers');
    const next = fixtureBody<Rows>('compute/servers-page-next', 'servers');
    assert.ok(first.length > 0 && next.length > 0);
    assert.deepEqual(ids(servers), ids(first, next));
    upstream.assertAllUsed();
  });

  it('of block storage is followed to its empty last page', async () => {
    const list = `/v3/${recordedIdentity().projectId}/volumes/detail`;
    const first = fixtureBody<Rows>('block-storage/volumes-page-first', 'volumes');
    const next = fixtureBody<Rows>('block-storage/volumes-page-next', 'volumes');
    upstream
      .reply('block-storage/volumes-page-first', { path: list })
      .reply('block-storage/volumes-page-next')
      .reply('block-storage/volumes-page-next', {
        path: `${list}?limit=1&marker=${next.at(-1)?.id}`,
        body: { volumes: [] },
      });

    const volumes = await testCloud().mine().blockStorage.volumes.list();

    assert.deepEqual(ids(volumes), ids(first, next));
    upstream.assertAllUsed();
  });

  it('of the image service is followed to its last page', async () => {
    upstream
      .reply('image/images-page-first', { path: '/v2/images?limit=1000' })
      .reply('image/images-page-next');

    const images = await testCloud().mine().image.images.list();

    assert.equal(images.length, 3);
    upstream.assertAllUsed();
  });

  it('of an identity service that paginates is followed to its last page', async () => {
    const { path } = fixture('identity/users').request;
    const users = fixtureBody<Rows>('identity/users', 'users');
    const [first, ...others] = users;
    const next = `http://keystone.internal/v3/users?limit=1000&marker=${first?.id}`;
    upstream
      .reply('identity/users', { body: { users: [first], links: { next, self: path, previous: null } } })
      .reply('identity/users', {
        path: `${path}&marker=${first?.id}`,
        body: { users: others, links: { next: null, self: next, previous: null } },
      });

    const listed = await testCloud().mine().identity.users.list();

    assert.deepEqual(
      listed.map(({ id }) => id),
      users.map(({ id }) => id),
    );
    upstream.assertAllUsed();
  });

  it('of a directory without pages is requested without a limit', async () => {
    const { path } = fixture('identity/users').request;
    const users = fixtureBody<Rows>('identity/users', 'users');
    const first = users.slice(0, 2);
    const links = { next: `${path}&marker=${first.at(-1)?.id}`, self: path, previous: null };
    upstream
      .reply('identity/users', { body: { users: first, links, truncated: true } })
      .reply('identity/users', { path: links.next, body: { users: first, links, truncated: true } })
      .reply('identity/users', { path: '/v3/users' });

    const listed = await testCloud().mine().identity.users.list();

    assert.deepEqual(ids(listed), ids(users));
    upstream.assertAllUsed();
  });

  it('of the network service is followed to its last page', async () => {
    const next = fixtureBody<{ networks: Rows }>('network/networks-page-next');
    const end = next.networks.at(-1)?.id;
    upstream
      .reply('network/networks-page-first', { path: '/v2.0/networks' })
      .reply('network/networks-page-next')
      .reply('network/networks-page-next', {
        path: `/v2.0/networks?limit=1&marker=${end}`,
        body: { networks: [] },
      });

    const networks = await testCloud().mine().network.networks.list();

    assert.equal(networks.length, 2);
    upstream.assertAllUsed();
  });

  it('of shares continues until it has as many items as the count', async () => {
    const { shares } = fixtureBody<{ shares: Rows }>('shared-file-system/shares');
    upstream
      .reply('shared-file-system/shares', { body: { shares, count: 2 } })
      .reply('shared-file-system/shares', {
        path: '/v2/shares/detail?with_count=true&limit=1000&offset=1',
        body: { shares, count: 2 },
      });

    const all = await testCloud().mine().sharedFileSystem.shares.list();

    assert.equal(all.length, 2);
    upstream.assertAllUsed();
  });

  it('of one page takes one request', async () => {
    upstream.reply('compute/servers');

    await testCloud().mine().compute.servers.list();

    assert.equal(upstream.calls.length, 1);
    upstream.assertAllUsed();
  });

  it("is read from the configured host, whatever the link's host", async () => {
    const servers = fixtureBody<Rows>('compute/servers', 'servers');
    const href = 'https://elsewhere.example/compute/v2.1/servers/detail?marker=m';
    upstream
      .reply('compute/servers', { body: { servers, servers_links: [{ rel: 'next', href }] } })
      .reply('compute/servers', { path: '/v2.1/servers/detail?marker=m' });

    await testCloud().mine().compute.servers.list();

    upstream.assertAllUsed();
  });

  it('whose pages repeat is a 502, not an endless loop', async () => {
    const servers = fixtureBody<Rows>('compute/servers', 'servers');
    const links = { servers_links: [{ rel: 'next', href: 'http://x/servers/detail?marker=m' }] };
    upstream.reply('compute/servers', { body: { servers, ...links } }).reply('compute/servers', {
      path: '/v2.1/servers/detail?marker=m',
      body: { servers, ...links },
    });

    await assert.rejects(testCloud().mine().compute.servers.list(), { status: 502 });

    upstream.assertAllUsed();
  });

  it('that is missing from the response is a 502', async () => {
    upstream.reply('compute/servers', { body: { unexpected: [] } });

    await assert.rejects(testCloud().mine().compute.servers.list(), { status: 502 });
  });

  it('read page by page reports whether there are more items', async () => {
    const marker = fixtureBody<Rows>('compute/servers-page-first', 'servers').at(-1)?.id;
    upstream.reply('compute/servers-page-first').reply('compute/servers-page-next');
    const { servers } = testCloud().mine().compute;

    const first = await servers.listPage({ limit: 2 });
    const next = await servers.listPage({ limit: 2, marker });

    assert.deepEqual([first.items.length, first.hasMore], [2, true]);
    assert.deepEqual([next.items.length, next.hasMore], [1, false]);
    upstream.assertAllUsed();
  });
});
