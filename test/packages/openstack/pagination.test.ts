import assert from 'node:assert/strict';
import type { BoundClient } from '@gateway/openstack';
import { fixture, fixtureBody, mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { recordedIdentity, testCloud } from './cloud.ts';

type Rows = { id: string }[];

function ids(...bodies: Rows[]): string[] {
  return bodies.flatMap((rows) => rows.map(({ id }) => id));
}

const MARKER = 'a1b2c3d4-0000-4000-8000-000000000001';

/**
 * How each service refuses a page after a row that is gone, of a list whose first response is the fixture
 * with a link to that page.
 */
const GONE: Record<
  string,
  {
    fixture: string;
    key: string;
    links: (next: string) => object;
    status: number;
    body: unknown;
    list: (cloud: BoundClient) => Promise<{ id: string }[]>;
  }
> = {
  'the compute service': {
    fixture: 'compute/servers',
    key: 'servers',
    links: (href) => ({ servers_links: [{ rel: 'next', href }] }),
    status: 400,
    body: { badRequest: { code: 400, message: `marker [${MARKER}] not found` } },
    list: ({ compute }) => compute.servers.list(),
  },
  'block storage': {
    fixture: 'block-storage/volumes',
    key: 'volumes',
    links: (href) => ({ volumes_links: [{ rel: 'next', href }] }),
    status: 404,
    body: { itemNotFound: { code: 404, message: `Volume ${MARKER} could not be found.` } },
    list: ({ blockStorage }) => blockStorage.volumes.list(),
  },
  'the image service': {
    fixture: 'image/images',
    key: 'images',
    links: (next) => ({ next }),
    status: 400,
    body: '<html><head><title>400 Bad Request</title></head><body><h1>400 Bad Request</h1></body></html>',
    list: ({ image }) => image.images.list(),
  },
  'the network service': {
    fixture: 'network/networks',
    key: 'networks',
    links: (href) => ({ networks_links: [{ rel: 'next', href }] }),
    status: 404,
    body: {
      NeutronError: { type: 'NetworkNotFound', message: `Network ${MARKER} could not be found.`, detail: '' },
    },
    list: ({ network }) => network.networks.list(),
  },
  'the load balancer service': {
    fixture: 'load-balancer/load-balancers',
    key: 'loadbalancers',
    links: (href) => ({ loadbalancers_links: [{ rel: 'next', href }] }),
    status: 400,
    body: {
      faultcode: 'Client',
      faultstring: `Supplied pagination marker '${MARKER}' is not valid.`,
      debuginfo: null,
    },
    list: ({ loadBalancer }) => loadBalancer.loadBalancers.list(),
  },
  'the identity service': {
    fixture: 'identity/users',
    key: 'users',
    links: (next) => ({ links: { next, self: '', previous: null } }),
    status: 404,
    body: { error: { code: 404, title: 'Not Found', message: `Could not find marker: ${MARKER}.` } },
    list: ({ identity }) => identity.users.list(),
  },
};

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

  it('keeps the filters that the links of load balancers lack', async () => {
    const path = '/v2.0/lbaas/loadbalancers';
    const page = (search: string, id: string, marker?: string) => {
      const href = `http://elsewhere${path}?limit=1&marker=${marker}`;
      upstream.reply('load-balancer/load-balancers', {
        path: path + search,
        body: {
          loadbalancers: [{ id, project_id: 'p' }],
          loadbalancers_links: marker === undefined ? [] : [{ rel: 'next', href }],
        },
      });
    };
    page('?project_id=p', 'a', 'a');
    page('?limit=1&marker=a&project_id=p', 'b', 'b');
    page('?limit=1&marker=b&project_id=p', 'c');

    const balancers = await testCloud().mine().loadBalancer.loadBalancers.list({ project_id: 'p' });

    assert.deepEqual(ids(balancers), ['a', 'b', 'c']);
    upstream.assertAllUsed();
  });

  it('gets a repeated filter whole, from the link or first request', async () => {
    const path = '/v2.0/networks';
    const page = (search: string, id: string, next?: string) =>
      upstream.reply('network/networks', {
        path: path + search,
        body: {
          networks: [{ id, name: 'n' }],
          networks_links: next === undefined ? [] : [{ rel: 'next', href: `http://elsewhere${path}${next}` }],
        },
      });
    page('?id=a&id=b&id=c&name=n', 'a', '?limit=1&marker=a');
    page('?limit=1&marker=a&id=a&id=b&id=c&name=n', 'b', '?id=a&id=b&id=c&limit=1&name=n&marker=b');
    page('?id=a&id=b&id=c&limit=1&name=n&marker=b', 'c');

    const filter = { id: ['a', 'b', 'c'], name: 'n' };
    const networks = await testCloud().mine().network.networks.list(filter);

    assert.deepEqual(ids(networks), ['a', 'b', 'c']);
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

  for (const [service, { body, fixture: name, key, links, list, status }] of Object.entries(GONE)) {
    it(`of ${service} is read again if a last row goes`, async () => {
      const rows = fixtureBody<Rows>(name, key);
      const { origin, path } = fixture(name).request;
      const first = { path: /^(?!.*marker=)/ };
      const next = `${origin}${path.split('?')[0]}?limit=1000&marker=${MARKER}`;
      upstream
        .reply(name, { ...first, body: { [key]: [{ ...rows[0], id: MARKER }], ...links(next) } })
        .reply(name, { path: /marker=/, status, body })
        .reply(name, { ...first, body: { [key]: rows, ...links('') } });

      const listed = await list(testCloud().mine());

      assert.deepEqual(ids(listed), ids(rows));
      upstream.assertAllUsed();
    });
  }

  it('whose rows go again while it is read is a 503', async () => {
    const servers = [{ id: MARKER }];
    const next = [{ rel: 'next', href: `http://x/servers/detail?marker=${MARKER}` }];
    const gone = { badRequest: { code: 400, message: `marker [${MARKER}] not found` } };
    upstream
      .reply('compute/servers', { body: { servers, servers_links: next }, times: 2 })
      .reply('compute/servers', { path: /marker=/, status: 400, body: gone, times: 2 });

    await assert.rejects(testCloud().mine().compute.servers.list(), { status: 503, retryAfterSeconds: 1 });

    upstream.assertAllUsed();
  });

  it('keeps the error of a first page and of other statuses', async () => {
    const message = 'Policy does not allow this.';
    upstream
      .reply('compute/servers', { status: 400, body: { badRequest: { code: 400, message } } })
      .reply('compute/servers', {
        body: { servers: [{ id: MARKER }], servers_links: [{ rel: 'next', href: 'http://x/y?marker=m' }] },
      })
      .reply('compute/servers', {
        path: /marker=/,
        status: 403,
        body: { forbidden: { code: 403, message } },
      });
    const { servers } = testCloud().mine().compute;

    await assert.rejects(servers.list(), { status: 400 });
    await assert.rejects(servers.list(), { status: 403 });

    upstream.assertAllUsed();
  });

  it('of shares misses none if one goes between two pages', async () => {
    const page = (offset: number, shares: string[]) =>
      upstream.reply('shared-file-system/shares', {
        path: new RegExp(`offset=${offset}$`),
        body: { shares: shares.map((id) => ({ id })), count: 4 },
      });
    page(0, ['a', 'b']);
    page(1, ['c', 'd']);
    page(0, ['b', 'c']);
    page(1, ['c', 'd', 'e']);

    const shares = await testCloud().mine().sharedFileSystem.shares.list();

    assert.deepEqual(ids(shares), ['b', 'c', 'd', 'e']);
    upstream.assertAllUsed();
  });
});
