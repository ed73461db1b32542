import assert from 'node:assert/strict';
import { fixture, mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { recordedIdentity, testCloud } from './cloud.ts';

/** The id in a recorded path, by its position from the end. */
function idIn(name: string, fromEnd = 1): string {
  return fixture(name).request.path.split('?')[0]?.split('/').at(-fromEnd) ?? '';
}

describe('a resource', () => {
  let upstream: Upstream;
  beforeEach(() => {
    upstream = mockUpstream();
  });
  afterEach(() => {
    upstream.close();
  });

  it('server is read with address, fault and boot volume', async () => {
    upstream.reply('compute/server').reply('compute/server-failed').reply('compute/server-from-volume');
    const { servers } = testCloud().mine().compute;

    const plain = await servers.get(idIn('compute/server'));
    const failed = await servers.get(idIn('compute/server-failed'));
    const fromVolume = await servers.get(idIn('compute/server-from-volume'));

    const types = plain.addresses['record-net']?.map((address) => address['OS-EXT-IPS:type']);
    assert.deepEqual(types, ['fixed', 'floating']);
    assert.equal(failed.fault?.code, 500);
    assert.equal(fromVolume.image, null);
    assert.equal(fromVolume['os-extended-volumes:volumes_attached'].length, 1);
    upstream.assertAllUsed();
  });

  it('server is found by its exact name', async () => {
    upstream.reply('compute/servers-by-name');

    const found = await testCloud().mine().compute.servers.listByName('record-plain');

    assert.deepEqual(
      found.map(({ name }) => name),
      ['record-plain'],
    );
  });

  it('server is not found by a part of its name', async () => {
    upstream.reply('compute/servers-by-name', { path: '/v2.1/servers/detail?name=%5Erecord%5C.plain%24' });

    assert.deepEqual(await testCloud().mine().compute.servers.listByName('record.plain'), []);
  });

  it('key pair is unwrapped from its envelopes', async () => {
    upstream.reply('compute/keypairs').reply('compute/keypair');
    const { keypairs } = testCloud().mine().compute;

    const listed = await keypairs.list();
    const read = await keypairs.get('record-key');

    assert.ok(listed.some(({ name }) => name === 'record-key'));
    assert.equal(read.name, 'record-key');
  });

  it('attachment reports whether the volume is deleted with the server', async () => {
    const serverId = idIn('compute/volume-attach', 2);
    upstream
      .reply('compute/volume-attach', {
        requestBody: { volumeAttachment: { volumeId: 'v', delete_on_termination: true } },
      })
      .reply('compute/volume-attachments');
    const { volumeAttachments } = testCloud().mine().compute;

    const attached = await volumeAttachments.attach(serverId, { volumeId: 'v', delete_on_termination: true });
    const listed = await volumeAttachments.list(serverId);

    assert.equal(attached.delete_on_termination, true);
    assert.equal(listed.length, 1);
    upstream.assertAllUsed();
  });

  it('quota of the network service has a limit and a usage', async () => {
    upstream.reply('network/quota-details');

    const quotas = await testCloud().mine().network.quotas.get(idIn('network/quota-details', 2));

    assert.deepEqual(quotas.floatingip, { limit: 3, used: 0, reserved: 0 });
    upstream.assertAllUsed();
  });

  it('flavor carries its extra specs', async () => {
    upstream.reply('compute/flavors');

    const flavors = await testCloud().mine().compute.flavors.list();

    const gpu = flavors.find(({ name }) => name === 'g1.small');
    assert.equal(gpu?.extra_specs['pci_passthrough:alias'], 'a100:1');
  });

  it('of the network service is created within its envelope', async () => {
    const create = { name: 'record-net', description: 'For fixtures' };
    upstream.reply('network/network-create', { requestBody: { network: create } });

    const network = await testCloud().mine().network.networks.create(create);

    assert.equal(network.name, 'record-net');
    upstream.assertAllUsed();
  });

  it('of the network service is filtered by several values at once', async () => {
    upstream.reply('network/ports', { path: '/v2.0/ports?device_id=a&device_id=b&status=ACTIVE' });

    await testCloud()
      .mine()
      .network.ports.list({ device_id: ['a', 'b'], status: 'ACTIVE', name: undefined });

    upstream.assertAllUsed();
  });

  it('access rule is allowed, read and denied', async () => {
    const shareId = idIn('shared-file-system/access-rule-allow', 2);
    const rule = { access_type: 'cephx', access_to: 'record-user', access_level: 'ro' as const };
    upstream
      .reply('shared-file-system/access-rule-allow', { requestBody: { allow_access: rule } })
      .reply('shared-file-system/access-rules')
      .reply('shared-file-system/access-rule-deny', {
        requestBody: { deny_access: { access_id: idIn('shared-file-system/access-rule') } },
      });
    const { accessRules } = testCloud().mine().sharedFileSystem;

    const allowed = await accessRules.allow(shareId, rule);
    const [listed] = await accessRules.list(shareId);
    await accessRules.deny(shareId, allowed.id);

    assert.equal(listed?.state, 'active');
    upstream.assertAllUsed();
  });

  it('share that does not exist is a 404 for its rules', async () => {
    const shareId = idIn('shared-file-system/access-rule-allow', 2);
    const message = `Share ${shareId} not found.`;
    upstream
      .reply('shared-file-system/access-rules', { status: 400, body: { badRequest: { code: 400, message } } })
      .reply('shared-file-system/access-rules', {
        status: 400,
        body: { badRequest: { code: 400, message: 'Invalid input.' } },
      });
    const { accessRules } = testCloud().mine().sharedFileSystem;

    await assert.rejects(accessRules.list(shareId), { status: 404, message });
    await assert.rejects(accessRules.list(shareId), { status: 400 });
  });

  it('access rule that exists already is a 409, not 400', async () => {
    const shareId = idIn('shared-file-system/access-rule-allow', 2);
    const rule = { access_type: 'ip', access_to: '10.10.0.5', access_level: 'ro' as const };
    const message = 'Share access ip:10.10.0.5 exists.';
    const badRequest = (message: string) => ({ status: 400, body: { badRequest: { code: 400, message } } });
    upstream
      .reply('shared-file-system/access-rule-allow', badRequest(message))
      .reply('shared-file-system/access-rule-allow', badRequest('Invalid share access level.'));
    const { accessRules } = testCloud().mine().sharedFileSystem;

    await assert.rejects(accessRules.allow(shareId, rule), { status: 409, code: 'conflict', message });
    await assert.rejects(accessRules.allow(shareId, rule), { status: 400 });
  });

  it('share has export locations and a type', async () => {
    upstream.reply('shared-file-system/export-locations').reply('shared-file-system/share-types');
    const { exportLocations, shareTypes } = testCloud().mine().sharedFileSystem;

    const locations = await exportLocations.list(idIn('shared-file-system/export-locations', 2));
    const types = await shareTypes.list();

    assert.ok(locations.some(({ path }) => path.includes(':/volumes/')));
    assert.ok(types.some(({ name }) => name === 'cephfs'));
  });

  it("volume of a project is requested under the endpoint's project", async () => {
    upstream.reply('block-storage/volumes', {
      path: `/v3/${recordedIdentity().projectId}/volumes/detail?name=record-boot`,
    });

    const volumes = await testCloud().mine().blockStorage.volumes.listByName('record-boot');

    assert.equal(volumes[0]?.volume_image_metadata?.os_distro, 'ubuntu');
    upstream.assertAllUsed();
  });
});
