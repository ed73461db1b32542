import assert from 'node:assert/strict';
import { COMPUTE, computeSuite, NETWORK } from './compute-suite.ts';

describe('the creation of simulated servers', () => {
  const compute = computeSuite();

  it('builds a server in the background, with a port and an address', async () => {
    const made = await compute.create({ imageRef: compute.imageRef, networks: [{ uuid: compute.netId }] });
    const before = await compute.get(made.body.server.id);
    compute.cloud.clock.advance(5000);
    const after = await compute.get(made.body.server.id);

    assert.equal(made.status, 202);
    assert.equal(before.status, 'BUILD');
    assert.equal(before['OS-EXT-STS:task_state'], 'scheduling');
    assert.equal(after.status, 'ACTIVE');
    assert.equal(after.addresses['demo-net'][0]['OS-EXT-IPS:type'], 'fixed');
    assert.match(after.addresses['demo-net'][0].addr, /^10\.10\.0\./);
  });

  it('sets a server without a suitable host to ERROR, with the reason', async () => {
    const admin = await compute.cloud.as('admin');
    const huge = { name: 'huge', vcpus: 1, ram: 8_000_000, disk: 1 };
    const flavor = await admin.call('POST', `${COMPUTE}/flavors`, { flavor: huge });
    const made = await compute.create({
      flavorRef: flavor.body.flavor.id,
      imageRef: compute.imageRef,
      networks: 'none',
    });
    compute.cloud.clock.advance(5000);

    const server = await compute.get(made.body.server.id);

    assert.equal(server.status, 'ERROR');
    assert.equal(server.fault.code, 500);
    assert.equal(server.fault.message, 'No valid host was found. ');
  });

  it('sets ERROR before the fault message, and fails a server as configured', async () => {
    const buildFault = { code: 500, message: 'Exceeded maximum number of retries. ' };
    await compute.cloud.call('POST', '/_control/settings', { buildFault });
    const made = await compute.create({ imageRef: compute.imageRef, networks: 'none' });
    compute.cloud.clock.advance(250);
    const failed = await compute.get(made.body.server.id);
    compute.cloud.clock.advance(100);
    const withFault = await compute.get(made.body.server.id);

    assert.deepEqual([failed.status, failed.fault], ['ERROR', undefined]);
    assert.equal(withFault.fault.message, buildFault.message);
  });

  it('fails a server whose port could not be created', async () => {
    const admin = await compute.cloud.as('admin');
    await admin.call('PUT', `${NETWORK}/quotas/${compute.demo.projectId}`, { quota: { port: 1 } });

    const { status, body } = await compute.create({
      imageRef: compute.imageRef,
      networks: [{ uuid: compute.netId }],
    });

    assert.deepEqual([status, body.forbidden.message], [403, 'Maximum number of ports exceeded']);
  });

  it("rejects a flavor with less memory than the boot volume's image requires", async () => {
    const made = await compute.demo.call('POST', '/image/v2/images', {
      name: 'needy',
      min_ram: 4096,
      disk_format: 'raw',
      container_format: 'bare',
    });
    const before = (await compute.demo.call('GET', `/image/v2/images/${made.body.id}`)).body.status;
    await compute.demo.call('PUT', `/image/v2/images/${made.body.id}/file`, {});
    const image = (await compute.demo.call('GET', `/image/v2/images/${made.body.id}`)).body;
    const uuid = await compute.volume({ size: 1, imageRef: image.id });
    const mapping = { boot_index: 0, uuid, source_type: 'volume', destination_type: 'volume' };

    const { status, body } = await compute.create({ block_device_mapping_v2: [mapping], networks: 'none' });

    assert.deepEqual([before, image.status, image.min_ram], ['queued', 'active', 4096]);
    assert.deepEqual(
      [status, body.badRequest.message],
      [400, "Flavor's memory is too small for requested image."],
    );
  });

  it('names each quota that is exceeded, with its usage', async () => {
    const alice = await compute.cloud.as('alice');

    const { status, body } = await compute.create(
      { imageRef: compute.imageRef, networks: 'none', min_count: 11, max_count: 11 },
      alice,
    );

    assert.equal(status, 403);
    assert.equal(
      body.forbidden.message,
      'Quota exceeded for instances: Requested 11, but already used 0 of 10 instances',
    );
  });

  it('checks name, image, flavor, network and key pair first', async () => {
    const none = '00000000-0000-4000-8000-000000000000';
    const refused = [
      await compute.create({ imageRef: none, networks: 'none' }),
      await compute.create({ flavorRef: none, imageRef: compute.imageRef, networks: 'none' }),
      await compute.create({ imageRef: compute.imageRef, networks: [{ uuid: none }] }),
      await compute.create({ imageRef: compute.imageRef, networks: 'none', key_name: 'nobody' }),
      await compute.create({ imageRef: compute.imageRef }),
      await compute.create({ name: 'web 😀', imageRef: compute.imageRef, networks: 'none' }),
    ];

    assert.deepEqual(
      refused.map(({ status }) => status),
      [400, 400, 400, 400, 400, 400],
    );
    assert.deepEqual((await compute.demo.call('GET', `${COMPUTE}/servers`)).body.servers, []);
  });

  it('stops building a server that is deleted meanwhile, and leaves nothing behind', async () => {
    const made = await compute.create({ imageRef: compute.imageRef, networks: [{ uuid: compute.netId }] });
    await compute.demo.call('DELETE', `${COMPUTE}/servers/${made.body.server.id}`);
    compute.cloud.clock.advance(5000);

    assert.equal(await compute.get(made.body.server.id), undefined);
    const ports = await compute.demo.call('GET', `${NETWORK}/ports?device_owner=compute:nova`);
    assert.deepEqual(ports.body.ports, []);
  });
});
