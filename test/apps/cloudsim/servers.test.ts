import assert from 'node:assert/strict';
import { type ApiResponse, LATEST_COMPUTE } from './client.ts';
import { COMPUTE, computeSuite, NETWORK } from './compute-suite.ts';

describe('simulated servers', () => {
  const compute = computeSuite();

  it('embeds the flavor from microversion 2.47 on, and links to it before', async () => {
    const id = await compute.running();

    assert.equal((await compute.get(id)).flavor.original_name, 'm1.tiny');
    assert.equal((await compute.get(id, {})).flavor.id, compute.flavorRef);
  });

  it('deletes the boot volume and the port created with the server', async () => {
    const boot = await compute.volume({ size: 1, imageRef: compute.imageRef });
    const mapping = {
      boot_index: 0,
      uuid: boot,
      source_type: 'volume',
      destination_type: 'volume',
      delete_on_termination: true,
    };
    const id = await compute.running({ imageRef: '', block_device_mapping_v2: [mapping] });
    const inUse = await compute.demo.call('GET', `/volume/v3/${compute.demo.projectId}/volumes/${boot}`);
    const refused = await compute.demo.call('DELETE', `/volume/v3/${compute.demo.projectId}/volumes/${boot}`);

    assert.equal((await compute.demo.call('DELETE', `${COMPUTE}/servers/${id}`)).status, 204);
    const deleting = await compute.get(id);
    compute.cloud.clock.advance(5000);

    assert.equal(inUse.body.volume.attachments[0].server_id, id);
    assert.equal(refused.status, 400);
    assert.equal(deleting['OS-EXT-STS:task_state'], 'deleting');
    assert.equal(await compute.get(id), undefined);
    assert.equal(await compute.volumeStatus(boot), 404);
    assert.deepEqual((await compute.demo.call('GET', `${NETWORK}/ports?device_id=${id}`)).body.ports, []);
  });

  it('breaks a boot volume that is rebuilt from a larger image', async () => {
    const boot = await compute.volume({ size: 1, imageRef: compute.imageRef });
    const mapping = { boot_index: 0, uuid: boot, source_type: 'volume', destination_type: 'volume' };
    const id = await compute.running({ imageRef: '', block_device_mapping_v2: [mapping] });
    const rebuild = (imageRef: string) =>
      compute.demo.call('POST', `${COMPUTE}/servers/${id}/action`, { rebuild: { imageRef } }, LATEST_COMPUTE);
    const [demanding, large] = [compute.image({ minDiskGb: 2 }), compute.image({ sizeBytes: 2 ** 31 })];
    const refused = await rebuild(demanding);
    const accepted = await rebuild(large);
    compute.cloud.clock.advance(5000);

    assert.deepEqual([refused.status, accepted.status], [400, 202]);
    assert.equal((await compute.get(id)).status, 'ERROR');
    assert.equal(await compute.volumeStatus(boot), 'downloading');
  });

  it('keeps a port that the caller provided', async () => {
    const made = await compute.demo.call('POST', `${NETWORK}/ports`, { port: { network_id: compute.netId } });
    const portId = made.body.port.id;
    const id = await compute.running({ networks: [{ port: portId }] });
    await compute.demo.call('DELETE', `${COMPUTE}/servers/${id}`);
    compute.cloud.clock.advance(5000);

    const port = await compute.demo.call('GET', `${NETWORK}/ports/${portId}`);

    assert.equal(port.body.port.device_id, '');
    assert.equal(port.body.port.status, 'DOWN');
  });

  it('attaches and detaches a volume after it has responded', async () => {
    const id = await compute.running();
    const data = await compute.volume({ size: 1 });
    const path = `${COMPUTE}/servers/${id}/os-volume_attachments`;

    const attached = await compute.demo.call(
      'POST',
      path,
      { volumeAttachment: { volumeId: data } },
      LATEST_COMPUTE,
    );
    const meanwhile = await compute.volumeStatus(data);
    compute.cloud.clock.advance(1000);
    const settled = await compute.volumeStatus(data);
    const again = await compute.demo.call('POST', path, { volumeAttachment: { volumeId: data } });
    const detached = await compute.demo.call('DELETE', `${path}/${data}`);
    const leaving = await compute.volumeStatus(data);
    compute.cloud.clock.advance(1000);

    assert.equal(attached.body.volumeAttachment.device, '/dev/vdb');
    assert.equal(meanwhile, 'reserved');
    assert.equal(settled, 'in-use');
    assert.equal(again.status, 400);
    assert.equal(detached.status, 202);
    assert.equal(leaving, 'detaching');
    assert.equal(await compute.volumeStatus(data), 'available');
  });

  it('starts and stops a server, and refuses both in the wrong state', async () => {
    const id = await compute.running();
    const act = (action: string) =>
      compute.demo.call('POST', `${COMPUTE}/servers/${id}/action`, { [action]: null });

    assert.equal((await act('os-start')).status, 409);
    assert.equal((await act('os-stop')).status, 202);
    assert.equal((await compute.get(id))['OS-EXT-STS:task_state'], 'powering-off');
    assert.match((await act('os-stop')).body.conflictingRequest.message, /in task_state powering-off/);
    compute.cloud.clock.advance(1000);
    assert.equal((await compute.get(id)).status, 'SHUTOFF');
    assert.equal((await act('shelve')).status, 202);
    compute.cloud.clock.advance(1000);
    assert.equal((await compute.get(id)).status, 'SHELVED_OFFLOADED');
    assert.equal((await act('unshelve')).status, 202);
    compute.cloud.clock.advance(1000);
    assert.equal((await compute.get(id)).status, 'ACTIVE');
  });

  it('lists a floating IP among the addresses shortly after its association', async () => {
    const id = await compute.running();
    const ports = await compute.demo.call('GET', `${NETWORK}/ports?device_id=${id}`);
    const floating = await compute.demo.call('POST', `${NETWORK}/floatingips`, {
      floatingip: { floating_network_id: compute.publicId, port_id: ports.body.ports[0].id },
    });

    assert.equal((await compute.get(id)).addresses['demo-net'].length, 1);
    compute.cloud.clock.advance(1500);
    const [, second] = (await compute.get(id)).addresses['demo-net'];

    assert.equal(second['OS-EXT-IPS:type'], 'floating');
    assert.equal(second.addr, floating.body.floatingip.floating_ip_address);
  });

  it('pages through servers by marker and limit', async () => {
    await compute.create({ imageRef: compute.imageRef, networks: 'none', min_count: 3, max_count: 3 });
    const seen: string[] = [];
    let path: string | undefined = `${COMPUTE}/servers?limit=2`;
    while (path !== undefined) {
      const { body }: ApiResponse = await compute.demo.call('GET', path);
      seen.push(...body.servers.map((server: { name: string }) => server.name));
      path = body.servers_links?.[0].href.replace(compute.cloud.url, '');
    }

    assert.deepEqual(seen, ['a-3', 'a-2', 'a-1']);
    assert.equal((await compute.demo.call('GET', `${COMPUTE}/servers?marker=none`)).status, 400);
  });
});
