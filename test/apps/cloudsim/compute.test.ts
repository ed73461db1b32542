import assert from 'node:assert/strict';
import {
  type ApiResponse,
  type Body,
  type Client,
  idOf,
  LATEST_COMPUTE,
  startTestCloud,
  type TestCloud,
} from './client.ts';

const COMPUTE = '/compute/v2.1';
const NETWORK = '/network/v2.0';

describe('simulated compute service', () => {
  let cloud: TestCloud;
  let demo: Client;
  let flavorRef: string;
  let imageRef: string;
  let netId: string;
  let publicId: string;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
    flavorRef = idOf(await demo.call('GET', `${COMPUTE}/flavors`), 'm1.tiny');
    imageRef = idOf(await demo.call('GET', '/image/v2/images'), 'ubuntu-22.04');
    const networks = await demo.call('GET', `${NETWORK}/networks`);
    netId = idOf(networks, 'demo-net');
    publicId = idOf(networks, 'public');
  });
  afterEach(() => cloud.close());

  function create(server: object, as: Client = demo): Promise<ApiResponse> {
    return as.call(
      'POST',
      `${COMPUTE}/servers`,
      { server: { name: 'a', flavorRef, ...server } },
      LATEST_COMPUTE,
    );
  }

  async function get(id: string, headers: Record<string, string> = LATEST_COMPUTE): Promise<Body> {
    return (await demo.call('GET', `${COMPUTE}/servers/${id}`, undefined, headers)).body.server;
  }

  async function volume(body: object): Promise<string> {
    const made = await demo.call('POST', `/volume/v3/${demo.projectId}/volumes`, { volume: body });
    cloud.clock.advance(1000);
    return made.body.volume.id;
  }

  async function volumeStatus(id: string): Promise<string | number> {
    const answer = await demo.call('GET', `/volume/v3/${demo.projectId}/volumes/${id}`);
    return answer.body.volume?.status ?? answer.status;
  }

  async function running(more: object = {}): Promise<string> {
    const made = await create({ imageRef, networks: [{ uuid: netId }], ...more });
    cloud.clock.advance(5000);
    return made.body.server.id;
  }

  it('builds a server in the background, with a port and an address', async () => {
    const made = await create({ imageRef, networks: [{ uuid: netId }] });
    const before = await get(made.body.server.id);
    cloud.clock.advance(5000);
    const after = await get(made.body.server.id);

    assert.equal(made.status, 202);
    assert.equal(before.status, 'BUILD');
    assert.equal(before['OS-EXT-STS:task_state'], 'scheduling');
    assert.equal(after.status, 'ACTIVE');
    assert.equal(after.addresses['demo-net'][0]['OS-EXT-IPS:type'], 'fixed');
    assert.match(after.addresses['demo-net'][0].addr, /^10\.10\.0\./);
  });

  it('embeds the flavor from microversion 2.47 on, and links to it before', async () => {
    const id = await running();

    assert.equal((await get(id)).flavor.original_name, 'm1.tiny');
    assert.equal((await get(id, {})).flavor.id, flavorRef);
  });

  it('refuses microversions that it does not support', async () => {
    const { status } = await demo.call('GET', `${COMPUTE}/servers`, undefined, {
      'OpenStack-API-Version': 'compute 2.94',
    });

    assert.equal(status, 406);
  });

  it('sets a server without a suitable host to ERROR, with the reason', async () => {
    const admin = await cloud.as('admin');
    const huge = { name: 'huge', vcpus: 1, ram: 8_000_000, disk: 1 };
    const flavor = await admin.call('POST', `${COMPUTE}/flavors`, { flavor: huge });
    const made = await create({ flavorRef: flavor.body.flavor.id, imageRef, networks: 'none' });
    cloud.clock.advance(5000);

    const server = await get(made.body.server.id);

    assert.equal(server.status, 'ERROR');
    assert.equal(server.fault.code, 500);
    assert.equal(server.fault.message, 'No valid host was found. ');
  });

  it('sets ERROR before the fault message, and fails a server as configured', async () => {
    const buildFault = { code: 500, message: 'Exceeded maximum number of retries. ' };
    await cloud.call('POST', '/_control/settings', { buildFault });
    const made = await create({ imageRef, networks: 'none' });
    cloud.clock.advance(250);
    const failed = await get(made.body.server.id);
    cloud.clock.advance(100);
    const withFault = await get(made.body.server.id);

    assert.deepEqual([failed.status, failed.fault], ['ERROR', undefined]);
    assert.equal(withFault.fault.message, buildFault.message);
  });

  it('fails a server whose port could not be created', async () => {
    const admin = await cloud.as('admin');
    await admin.call('PUT', `${NETWORK}/quotas/${demo.projectId}`, { quota: { port: 1 } });

    const { status, body } = await create({ imageRef, networks: [{ uuid: netId }] });

    assert.deepEqual([status, body.forbidden.message], [403, 'Maximum number of ports exceeded']);
  });

  it("rejects a flavor with less memory than the boot volume's image requires", async () => {
    const made = await demo.call('POST', '/image/v2/images', {
      name: 'needy',
      min_ram: 4096,
      disk_format: 'raw',
      container_format: 'bare',
    });
    const before = (await demo.call('GET', `/image/v2/images/${made.body.id}`)).body.status;
    await demo.call('PUT', `/image/v2/images/${made.body.id}/file`, {});
    const image = (await demo.call('GET', `/image/v2/images/${made.body.id}`)).body;
    const uuid = await volume({ size: 1, imageRef: image.id });
    const mapping = { boot_index: 0, uuid, source_type: 'volume', destination_type: 'volume' };

    const { status, body } = await create({ block_device_mapping_v2: [mapping], networks: 'none' });

    assert.deepEqual([before, image.status, image.min_ram], ['queued', 'active', 4096]);
    assert.deepEqual(
      [status, body.badRequest.message],
      [400, "Flavor's memory is too small for requested image."],
    );
  });

  it('deletes the boot volume and the port created with the server', async () => {
    const boot = await volume({ size: 1, imageRef });
    const mapping = {
      boot_index: 0,
      uuid: boot,
      source_type: 'volume',
      destination_type: 'volume',
      delete_on_termination: true,
    };
    const id = await running({ imageRef: '', block_device_mapping_v2: [mapping] });
    const inUse = await demo.call('GET', `/volume/v3/${demo.projectId}/volumes/${boot}`);
    const refused = await demo.call('DELETE', `/volume/v3/${demo.projectId}/volumes/${boot}`);

    assert.equal((await demo.call('DELETE', `${COMPUTE}/servers/${id}`)).status, 204);
    const deleting = await get(id);
    cloud.clock.advance(5000);

    assert.equal(inUse.body.volume.attachments[0].server_id, id);
    assert.equal(refused.status, 400);
    assert.equal(deleting['OS-EXT-STS:task_state'], 'deleting');
    assert.equal(await get(id), undefined);
    assert.equal(await volumeStatus(boot), 404);
    assert.deepEqual((await demo.call('GET', `${NETWORK}/ports?device_id=${id}`)).body.ports, []);
  });

  it('stops building a server that is deleted meanwhile, and leaves nothing behind', async () => {
    const made = await create({ imageRef, networks: [{ uuid: netId }] });
    await demo.call('DELETE', `${COMPUTE}/servers/${made.body.server.id}`);
    cloud.clock.advance(5000);

    assert.equal(await get(made.body.server.id), undefined);
    const ports = await demo.call('GET', `${NETWORK}/ports?device_owner=compute:nova`);
    assert.deepEqual(ports.body.ports, []);
  });

  it('keeps a port that the caller provided', async () => {
    const made = await demo.call('POST', `${NETWORK}/ports`, { port: { network_id: netId } });
    const portId = made.body.port.id;
    const id = await running({ networks: [{ port: portId }] });
    await demo.call('DELETE', `${COMPUTE}/servers/${id}`);
    cloud.clock.advance(5000);

    const port = await demo.call('GET', `${NETWORK}/ports/${portId}`);

    assert.equal(port.body.port.device_id, '');
    assert.equal(port.body.port.status, 'DOWN');
  });

  it('attaches and detaches a volume after it has responded', async () => {
    const id = await running();
    const data = await volume({ size: 1 });
    const path = `${COMPUTE}/servers/${id}/os-volume_attachments`;

    const attached = await demo.call('POST', path, { volumeAttachment: { volumeId: data } }, LATEST_COMPUTE);
    const meanwhile = await volumeStatus(data);
    cloud.clock.advance(1000);
    const settled = await volumeStatus(data);
    const again = await demo.call('POST', path, { volumeAttachment: { volumeId: data } });
    const detached = await demo.call('DELETE', `${path}/${data}`);
    const leaving = await volumeStatus(data);
    cloud.clock.advance(1000);

    assert.equal(attached.body.volumeAttachment.device, '/dev/vdb');
    assert.equal(meanwhile, 'reserved');
    assert.equal(settled, 'in-use');
    assert.equal(again.status, 400);
    assert.equal(detached.status, 202);
    assert.equal(leaving, 'detaching');
    assert.equal(await volumeStatus(data), 'available');
  });

  it('names each quota that is exceeded, with its usage', async () => {
    const alice = await cloud.as('alice');

    const { status, body } = await create(
      { imageRef, networks: 'none', min_count: 11, max_count: 11 },
      alice,
    );

    assert.equal(status, 403);
    assert.equal(
      body.forbidden.message,
      'Quota exceeded for instances: Requested 11, but already used 0 of 10 instances',
    );
  });

  it('checks image, flavor, network and key pair before it creates anything', async () => {
    const none = '00000000-0000-4000-8000-000000000000';
    const refused = [
      await create({ imageRef: none, networks: 'none' }),
      await create({ flavorRef: none, imageRef, networks: 'none' }),
      await create({ imageRef, networks: [{ uuid: none }] }),
      await create({ imageRef, networks: 'none', key_name: 'nobody' }),
      await create({ imageRef }),
    ];

    assert.deepEqual(
      refused.map(({ status }) => status),
      [400, 400, 400, 400, 400],
    );
    assert.deepEqual((await demo.call('GET', `${COMPUTE}/servers`)).body.servers, []);
  });

  it('starts and stops a server, and refuses both in the wrong state', async () => {
    const id = await running();
    const act = (action: string) => demo.call('POST', `${COMPUTE}/servers/${id}/action`, { [action]: null });

    assert.equal((await act('os-start')).status, 409);
    assert.equal((await act('os-stop')).status, 202);
    assert.equal((await get(id))['OS-EXT-STS:task_state'], 'powering-off');
    assert.match((await act('os-stop')).body.conflictingRequest.message, /in task_state powering-off/);
    cloud.clock.advance(1000);
    assert.equal((await get(id)).status, 'SHUTOFF');
    assert.equal((await act('shelve')).status, 202);
    cloud.clock.advance(1000);
    assert.equal((await get(id)).status, 'SHELVED_OFFLOADED');
    assert.equal((await act('unshelve')).status, 202);
    cloud.clock.advance(1000);
    assert.equal((await get(id)).status, 'ACTIVE');
  });

  it('lists a floating IP among the addresses shortly after its association', async () => {
    const id = await running();
    const ports = await demo.call('GET', `${NETWORK}/ports?device_id=${id}`);
    const floating = await demo.call('POST', `${NETWORK}/floatingips`, {
      floatingip: { floating_network_id: publicId, port_id: ports.body.ports[0].id },
    });

    assert.equal((await get(id)).addresses['demo-net'].length, 1);
    cloud.clock.advance(1500);
    const [, second] = (await get(id)).addresses['demo-net'];

    assert.equal(second['OS-EXT-IPS:type'], 'floating');
    assert.equal(second.addr, floating.body.floatingip.floating_ip_address);
  });

  it("hides servers of other projects, and rejects members' lists of all projects", async () => {
    const id = await running();
    const alice = await cloud.as('alice');
    const admin = await cloud.as('admin');

    assert.equal((await alice.call('GET', `${COMPUTE}/servers/${id}`)).status, 404);
    assert.equal((await alice.call('GET', `${COMPUTE}/servers/detail?all_tenants=1`)).status, 403);
    const all = await admin.call('GET', `${COMPUTE}/servers/detail?all_tenants=1`);
    assert.equal(all.body.servers.length, 1);
  });

  it('pages through servers by marker and limit', async () => {
    await create({ imageRef, networks: 'none', min_count: 3, max_count: 3 });
    const seen: string[] = [];
    let path: string | undefined = `${COMPUTE}/servers?limit=2`;
    while (path !== undefined) {
      const { body }: ApiResponse = await demo.call('GET', path);
      seen.push(...body.servers.map((server: { name: string }) => server.name));
      path = body.servers_links?.[0].href.replace(cloud.url, '');
    }

    assert.deepEqual(seen, ['a-3', 'a-2', 'a-1']);
    assert.equal((await demo.call('GET', `${COMPUTE}/servers?marker=none`)).status, 400);
  });

  it('generates a key pair once, and refuses a duplicate name', async () => {
    const body = { keypair: { name: 'k' } };
    const version = { 'OpenStack-API-Version': 'compute 2.2' };

    const made = await demo.call('POST', `${COMPUTE}/os-keypairs`, body, version);
    const again = await demo.call('POST', `${COMPUTE}/os-keypairs`, body, version);
    const alice = await cloud.as('alice');

    assert.match(made.body.keypair.private_key, /^-----BEGIN RSA PRIVATE KEY-----/);
    assert.match(made.body.keypair.public_key, /^ssh-rsa /);
    assert.equal(again.status, 409);
    assert.deepEqual((await alice.call('GET', `${COMPUTE}/os-keypairs`)).body.keypairs, []);
  });

  it('shows a private flavor only to projects with access', async () => {
    const path = `${COMPUTE}/flavors`;
    const names = async (client: Client) =>
      (await client.call('GET', path)).body.flavors.map((flavor: { name: string }) => flavor.name);

    assert.ok(!(await names(demo)).includes('p1.private'));
    assert.ok((await names(await cloud.as('demo', 'demo2'))).includes('p1.private'));
  });

  it('refuses quotas below what is in use, unless they are forced', async () => {
    const admin = await cloud.as('admin');
    const path = `${COMPUTE}/os-quota-sets/${demo.projectId}`;
    await create({ imageRef, networks: 'none' });
    const set = (quota_set: object) => admin.call('PUT', path, { quota_set });

    const refused = await set({ instances: 0 });

    assert.equal(refused.status, 400);
    assert.match(refused.body.badRequest.message, /^Quota limit 0 for instances must be greater/);
    assert.equal((await set({ instances: 0, force: true })).status, 200);
    assert.equal((await set({ instances: -1 })).status, 200);
  });
});
