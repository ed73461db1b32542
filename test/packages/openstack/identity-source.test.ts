import assert from 'node:assert/strict';
import { GatewayError } from '@gateway/core';
import type { BoundClient, Identity, IdentitySource, UpstreamError } from '@gateway/openstack';
import { fixture, mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { call, recordedIdentity, testCloud } from './cloud.ts';

const unauthorized = { status: 401, body: { error: { code: 401, message: 'Unauthorized' } } };

describe('a client with an identity source', () => {
  let upstream: Upstream;
  let replaced: UpstreamError[];
  beforeEach(() => {
    upstream = mockUpstream();
    replaced = [];
  });
  afterEach(() => upstream.close());

  function identity(token: string, change: Partial<Identity> = {}): Identity {
    return { ...recordedIdentity(), token, ...change };
  }

  /** Provides the identities in order; the next one after a rejection. */
  function bound(identities: Identity[]): BoundClient {
    const source: IdentitySource = {
      current: () => {
        if (identities[0] === undefined) throw new GatewayError(401, 'token_expired', 'None is left.');
        return identities[0];
      },
      async replace(rejected, error) {
        assert.equal(rejected, identities.shift());
        replaced.push(error);
        return source.current();
      },
    };
    return testCloud().openstack.as(source, call);
  }

  function tokensUsed(): (string | undefined)[] {
    return upstream.calls.map(({ headers }) => headers['x-auth-token']);
  }

  it('retries with another identity when a service rejects the token, writes too', async () => {
    upstream.reply('block-storage/volume-create', unauthorized).reply('block-storage/volume-create');

    const volume = await bound([identity('first'), identity('second')]).blockStorage.volumes.create({
      size: 1,
    });

    assert.ok(volume.id);
    assert.deepEqual(tokensUsed(), ['first', 'second']);
    assert.deepEqual(
      replaced.map(({ upstreamStatus }) => upstreamStatus),
      [401],
    );
    upstream.assertAllUsed();
  });

  it('gets the current identity for every call', async () => {
    upstream.reply('compute/servers').reply('compute/servers');
    const identities = [identity('first')];
    const { servers } = bound(identities).compute;

    await servers.list();
    identities[0] = identity('renewed');
    await servers.list();

    assert.deepEqual(tokensUsed(), ['first', 'renewed']);
  });

  it("uses the identity's endpoints", async () => {
    const endpoints = { compute: 'http://127.0.0.1:8774/elsewhere' };
    upstream.reply('compute/servers', { path: '/elsewhere/servers/detail' });

    await bound([identity('first', { endpoints })]).compute.servers.list();

    upstream.assertAllUsed();
  });

  it('says by the current catalog which services there are', async () => {
    const { endpoints } = recordedIdentity();
    const { sharedFileSystem, ...others } = endpoints;
    assert.ok(sharedFileSystem);
    const identities = [identity('first', { endpoints: others })];
    const client = bound(identities);

    const before = [await client.has('compute'), await client.has('sharedFileSystem')];
    identities[0] = identity('renewed');

    assert.deepEqual(before, [true, false]);
    assert.equal(await client.has('sharedFileSystem'), true);
  });

  it('throws the error of the source when it has no other identity', async () => {
    upstream.reply('compute/servers', unauthorized);

    await assert.rejects(bound([identity('only')]).compute.servers.list(), { code: 'token_expired' });
    assert.equal(upstream.calls.length, 1);
  });

  it('stops when all tokens are rejected', async () => {
    upstream.reply('compute/servers', { ...unauthorized, times: 5 });
    const many = Array.from({ length: 20 }, (_, index) => identity(`token-${index}`));

    await assert.rejects(bound(many).compute.servers.list(), { status: 401 });

    upstream.assertAllUsed();
  });

  it('does not replace the identity after other errors', async () => {
    upstream.reply('compute/servers', { status: 403, body: { forbidden: { code: 403, message: 'No.' } } });

    await assert.rejects(bound([identity('first'), identity('second')]).compute.servers.list(), {
      status: 403,
    });
    assert.deepEqual(replaced, []);
  });

  describe('with an identity that acts for a project', () => {
    const actingIdentity = identity('admin', { actingForProjectId: 'p1' });

    it('lists only the resources of that project', async () => {
      const { compute, blockStorage, sharedFileSystem, network } = bound([actingIdentity]);
      upstream
        .reply('compute/servers', { path: '/v2.1/servers/detail?name=%5Ea%24&all_tenants=1&project_id=p1' })
        .reply('compute/servers', { path: '/v2.1/servers?name=%5Ea%24&all_tenants=1&project_id=p1' })
        .reply('block-storage/volumes', {
          path: `/v3/${actingIdentity.projectId}/volumes/detail?name=a&all_tenants=1&project_id=p1`,
        })
        .reply('shared-file-system/shares', {
          path: '/v2/shares/detail?name=a&limit=1000&offset=0&all_tenants=1&project_id=p1',
          body: { shares: [] },
        })
        .reply('block-storage/volumes', {
          path: `/v3/${actingIdentity.projectId}/attachments?volume_id=v1&all_tenants=1&project_id=p1`,
          body: { attachments: [] },
        })
        .reply('network/ports', { path: '/v2.0/ports?name=a&project_id=p1' });

      await compute.servers.listByName('a');
      await compute.servers.listIdsByName(['a']);
      await blockStorage.volumes.listByName('a');
      await blockStorage.attachments.listByVolume('v1');
      await sharedFileSystem.shares.listByName('a');
      await network.ports.list({ name: 'a' });

      upstream.assertAllUsed();
    });

    it('leaves requests for one resource, and for resources without a project, unchanged', async () => {
      upstream.reply('compute/server').reply('compute/flavors').reply('compute/volume-attachments');
      const { compute } = bound([actingIdentity]);

      await compute.servers.get(idIn('compute/server', -1));
      await compute.flavors.list();
      await compute.volumeAttachments.list(idIn('compute/volume-attachments', -2));

      upstream.assertAllUsed();
    });
  });
});

/** The id in a recorded path, by its position from the end. */
function idIn(name: string, place: number): string {
  return fixture(name).request.path.split('?')[0]?.split('/').at(place) ?? '';
}
