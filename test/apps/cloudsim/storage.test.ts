import assert from 'node:assert/strict';
import {
  type ApiResponse,
  type Body,
  type Client,
  idOf,
  LATEST_SHARE,
  startTestCloud,
  type TestCloud,
} from './client.ts';

describe('simulated block storage service', () => {
  let cloud: TestCloud;
  let demo: Client;
  let volumes: string;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
    volumes = `/volume/v3/${demo.projectId}/volumes`;
  });
  afterEach(() => cloud.close());

  it('creates a volume from an image and records the image', async () => {
    const imageRef = idOf(await demo.call('GET', '/image/v2/images'), 'debian-12');
    const made = await demo.call('POST', volumes, { volume: { size: 1, imageRef } });
    const path = `${volumes}/${made.body.volume.id}`;
    const statuses = [made.body.volume.status];
    cloud.clock.advance(300);
    statuses.push((await demo.call('GET', path)).body.volume.status);
    cloud.clock.advance(1000);

    const { volume } = (await demo.call('GET', path)).body;

    assert.deepEqual([...statuses, volume.status], ['creating', 'downloading', 'available']);
    assert.equal(volume.bootable, 'true');
    assert.equal(volume.volume_image_metadata.image_name, 'debian-12');
  });

  it('copies snapshots and volumes with size, type and image, or refuses', async () => {
    const imageRef = idOf(await demo.call('GET', '/image/v2/images'), 'debian-12');
    const create = (volume: object) => demo.call('POST', volumes, { volume });
    const source = (await create({ size: 2, imageRef, volume_type: 'fast' })).body.volume.id;
    assert.equal((await create({ source_volid: source })).status, 400, 'not available yet');
    cloud.clock.advance(2000);
    const path = `/volume/v3/${demo.projectId}/snapshots`;
    const snapshot = (await demo.call('POST', path, { snapshot: { volume_id: source } })).body.snapshot.id;
    assert.equal((await create({ snapshot_id: snapshot })).status, 400, 'not available yet');
    cloud.clock.advance(2000);

    for (const from of [{ source_volid: source }, { snapshot_id: snapshot }]) {
      const { size, volume_type, bootable } = (await create(from)).body.volume;
      assert.deepEqual({ size, volume_type, bootable }, { size: 2, volume_type: 'fast', bootable: 'true' });
      const small = await create({ ...from, size: 1 });
      assert.equal(small.status, 400);
      assert.match(small.body.badRequest.message, /cannot be smaller than/);
    }
    for (const from of [{ source_volid: 'x' }, { snapshot_id: 'x' }, { size: 1, volume_type: 'x' }]) {
      assert.equal((await create(from)).status, 404, JSON.stringify(from));
    }
  });

  it('answers an exceeded quota with 413 and Retry-After', async () => {
    const alice = await cloud.as('alice');

    const answer = await alice.call('POST', `/volume/v3/${alice.projectId}/volumes`, {
      volume: { size: 2000 },
    });

    assert.equal(answer.status, 413);
    assert.equal(answer.headers.get('retry-after'), '0');
    assert.match(
      answer.body.overLimit.message,
      /^VolumeSizeExceedsAvailableQuota: .*Requested 2000G, quota is 1000G/,
    );
  });

  it("forbids members to reset and force-delete, and other projects' paths", async () => {
    const made = await demo.call('POST', volumes, { volume: { size: 1 } });
    const action = `${volumes}/${made.body.volume.id}/action`;
    const alice = await cloud.as('alice');

    assert.equal((await demo.call('POST', action, { 'os-reset_status': { status: 'error' } })).status, 403);
    assert.equal((await demo.call('POST', action, { 'os-force_delete': {} })).status, 403);
    assert.equal((await alice.call('GET', volumes)).status, 400);
  });
});

describe('simulated shared file system service', () => {
  const SHARES = '/share/v2/shares';
  let cloud: TestCloud;
  let demo: Client;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
  });
  afterEach(() => cloud.close());

  function call(client: Client, method: string, path: string, body?: unknown): Promise<ApiResponse> {
    return client.call(method, path, body, LATEST_SHARE);
  }

  async function share(protocol: string): Promise<string> {
    const made = await call(demo, 'POST', SHARES, { share: { size: 1, share_proto: protocol } });
    cloud.clock.advance(1000);
    return made.body.share.id;
  }

  function allow(id: string, access_type: string, access_to: string): Promise<ApiResponse> {
    return call(demo, 'POST', `${SHARES}/${id}/action`, { allow_access: { access_type, access_to } });
  }

  it('returns the key of a cephx rule once the rule is active', async () => {
    const id = await share('CEPHFS');
    const made = await allow(id, 'cephx', 'reader');
    cloud.clock.advance(1000);

    const { body } = await call(demo, 'GET', `/share/v2/share-access-rules/${made.body.access.id}`);

    assert.equal(made.body.access.state, 'queued_to_apply');
    assert.equal(made.body.access.access_key, null);
    assert.equal(body.access.state, 'active');
    assert.equal(Buffer.from(body.access.access_key, 'base64').length, 28);
  });

  it('sets a rule of unsupported type to error, and rejects duplicates', async () => {
    const id = await share('NFS');
    await allow(id, 'cephx', 'reader');
    const again = await allow(id, 'cephx', 'reader');
    cloud.clock.advance(1000);

    const { body } = await call(demo, 'GET', `/share/v2/share-access-rules?share_id=${id}`);

    assert.equal(body.access_list[0].state, 'error');
    assert.equal(again.status, 400);
  });

  it('treats an address with and without /32 as the same', async () => {
    const id = await share('NFS');
    await allow(id, 'ip', '10.10.0.5');

    assert.equal((await allow(id, 'ip', '10.10.0.5/32')).status, 400);
    assert.equal((await allow(id, 'ip', '10.10.0.0/24')).status, 200);
    cloud.clock.advance(1000);
    const { body } = await call(demo, 'GET', `/share/v2/share-access-rules?share_id=${id}`);
    assert.deepEqual(
      body.access_list.map((rule: Body) => [rule.state, rule.updated_at]),
      [
        ['active', null],
        ['active', null],
      ],
    );
  });

  it('deletes a share along with its rules', async () => {
    const id = await share('CEPHFS');
    await allow(id, 'cephx', 'reader');
    assert.equal((await call(demo, 'DELETE', `${SHARES}/${id}`)).status, 202);
    assert.equal((await call(demo, 'GET', `${SHARES}/${id}`)).body.share.status, 'deleting');
    cloud.clock.advance(1000);

    assert.equal((await call(demo, 'GET', `${SHARES}/${id}`)).status, 404);
    const state = await cloud.call('GET', '/_control/state');
    assert.equal(state.body.totals.access_rules, 0);
  });

  it('shows a public share to other projects, which cannot delete it', async () => {
    const id = await share('NFS');
    const alice = await cloud.as('alice');
    const admin = await cloud.as('admin');
    const hidden = await call(alice, 'GET', `${SHARES}/${id}`);
    await call(admin, 'PUT', `${SHARES}/${id}`, { share: { is_public: true } });

    assert.equal(hidden.status, 404);
    assert.equal((await call(alice, 'GET', `${SHARES}/${id}`)).status, 200);
    assert.equal((await call(alice, 'DELETE', `${SHARES}/${id}`)).status, 403);
    assert.deepEqual((await call(alice, 'GET', SHARES)).body.shares, []);
    assert.equal((await call(alice, 'GET', `${SHARES}?is_public=true`)).body.shares.length, 1);
  });

  it('shows and deletes a share network in its project only', async () => {
    const alice = await cloud.as('alice');
    const networks = '/share/v2/share-networks';
    const made = await call(demo, 'POST', networks, { share_network: { name: 'exports' } });
    const path = `${networks}/${made.body.share_network.id}`;

    assert.deepEqual((await call(demo, 'GET', path)).body, made.body);
    assert.equal((await call(alice, 'GET', path)).status, 404);
    assert.equal((await call(alice, 'DELETE', path)).status, 404);
    assert.equal((await call(demo, 'DELETE', path)).status, 202);
    assert.equal((await call(demo, 'GET', path)).status, 404);
  });

  it('keeps security services of share networks, one of each type', async () => {
    const services = '/share/v2/security-services';
    const create = async (name: string, type: string) =>
      call(demo, 'POST', services, { security_service: { name, type, password: 'secret' } });
    const [first, second] = [await create('first', 'ldap'), await create('second', 'ldap')];
    const made = await call(demo, 'POST', '/share/v2/share-networks', { share_network: { name: 'exports' } });
    const network = `/share/v2/share-networks/${made.body.share_network.id}`;
    const { id } = first.body.security_service;
    const act = (action: string, security_service_id: string) =>
      call(demo, 'POST', `${network}/action`, { [action]: { security_service_id } });
    const using = async () => {
      const { body } = await call(demo, 'GET', `${services}/detail`);
      return body.security_services.find((row: { id: string }) => row.id === id).share_networks.length;
    };

    assert.equal((await create('third', 'nis')).status, 400);
    assert.equal((await act('remove_security_service', id)).status, 400);
    assert.equal((await act('add_security_service', id)).status, 200);
    assert.equal((await act('add_security_service', second.body.security_service.id)).status, 409);
    assert.equal(await using(), 1);
    assert.equal((await call(demo, 'DELETE', `${services}/${id}`)).status, 403);
    assert.equal((await call(await cloud.as('alice'), 'GET', `${services}/${id}`)).status, 403);
    assert.equal((await act('remove_security_service', id)).status, 200);
    assert.equal((await act('add_security_service', id)).status, 200);
    assert.equal((await call(demo, 'DELETE', network)).status, 202);
    assert.equal(await using(), 0);
    assert.equal((await call(demo, 'DELETE', `${services}/${id}`)).status, 202);
  });

  it("ignores the project of counted lists, and of members' lists", async () => {
    await share('NFS');
    const admin = await cloud.as('admin');
    const ofNobody = `${SHARES}?all_tenants=1&project_id=${'f'.repeat(32)}`;
    const list = async (client: Client, url: string) => (await call(client, 'GET', url)).body;

    assert.deepEqual((await list(admin, ofNobody)).shares, []);
    const counted = await list(admin, `${ofNobody}&with_count=true`);
    assert.deepEqual([counted.shares.length, counted.count], [1, 1]);
    assert.equal((await list(demo, `${SHARES}?project_id=${'f'.repeat(32)}`)).shares.length, 1);
  });

  it('lists snapshots of all projects for administrators', async () => {
    const id = await share('NFS');
    cloud.clock.advance(2000);
    await call(demo, 'POST', '/share/v2/snapshots', { snapshot: { share_id: id } });
    const admin = await cloud.as('admin');
    const path = '/share/v2/snapshots/detail';
    const count = async (url: string) => (await call(admin, 'GET', url)).body.snapshots.length;

    assert.deepEqual(
      [
        await count(path),
        await count(`${path}?all_tenants=1`),
        await count(`${path}?all_tenants=1&project_id=${demo.projectId}`),
        await count(`${path}?all_tenants=1&project_id=${admin.projectId}`),
      ],
      [0, 1, 1, 0],
    );
  });

  for (const [what, metadata, message] of [
    ['a blank key', { '': 'v' }, 'Metadata property key is blank.'],
    ['a blank value', { key: '' }, 'Metadata property value is blank.'],
    [
      'a key of 256 characters',
      { ['k'.repeat(256)]: 'v' },
      'Metadata property key is greater than 255 characters.',
    ],
    [
      'a value of 1024 characters',
      { key: '€'.repeat(1024) },
      'Metadata property value is greater than 1023 characters.',
    ],
  ] as const) {
    it(`refuses ${what} in the metadata of a share and of a rule`, async () => {
      const id = await share('NFS');
      const rule = { allow_access: { access_type: 'ip', access_to: '10.10.0.5', metadata } };

      const refusals = [
        await call(demo, 'POST', SHARES, { share: { share_proto: 'NFS', size: 1, metadata } }),
        await call(demo, 'POST', `${SHARES}/${id}/metadata`, { metadata }),
        await call(demo, 'PUT', `${SHARES}/${id}/metadata`, { metadata }),
        await call(demo, 'POST', `${SHARES}/${id}/action`, rule),
      ];

      assert.deepEqual(
        refusals.map(({ status, body }) => [status, body.badRequest.message]),
        refusals.map(() => [400, message]),
      );
      assert.deepEqual((await call(demo, 'GET', `${SHARES}/${id}`)).body.share.metadata, {});
      assert.equal((await call(demo, 'GET', SHARES)).body.shares.length, 1);
    });
  }

  it('accepts the longest metadata, and adds or replaces it', async () => {
    const id = await share('NFS');
    const longest = { ['k'.repeat(255)]: '😀'.repeat(1023) };
    await call(demo, 'PUT', `${SHARES}/${id}/metadata`, { metadata: longest });

    const added = await call(demo, 'POST', `${SHARES}/${id}/metadata`, { metadata: { a: '1' } });
    const replaced = await call(demo, 'PUT', `${SHARES}/${id}/metadata`, { metadata: { b: '2' } });

    assert.deepEqual(added.body.metadata, { ...longest, a: '1' });
    assert.deepEqual(replaced.body.metadata, { b: '2' });
  });
});
