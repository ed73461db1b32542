import { type BoundClient, waitForGone, waitForStatus } from '@gateway/openstack';
import type { recordNetworks } from './networks.ts';
import { record } from './recorder.ts';
import { addCleanup, recordPages, recordRequired, statusOf, unknownId, waitOptions } from './scenario.ts';

export async function recordCompute(
  mine: BoundClient,
  admin: BoundClient,
  { network, external, ports, floatingIps }: Awaited<ReturnType<typeof recordNetworks>>,
): Promise<void> {
  const { servers, flavors, keypairs } = mine.compute;
  const image = (await mine.image.images.list()).find(({ name }) => name?.startsWith('ubuntu'));
  const flavor = (await flavors.list()).find(({ name }) => name === 'm1.tiny');
  if (image === undefined || flavor === undefined) throw new Error('The cloud is not seeded.');

  await record('compute/keypair-create', () => keypairs.create({ name: 'record-key' }));
  addCleanup('key pair', () => keypairs.remove('record-key'));
  await record('compute/keypair-exists', () => keypairs.create({ name: 'record-key' }));
  await record('compute/keypairs', () => keypairs.list());
  await record('compute/keypair', () => keypairs.get('record-key'));

  const huge = await recordRequired('compute/flavor-create', () =>
    admin.compute.flavors.create({ name: 'record-huge', vcpus: 8, ram: 2 ** 14, disk: 1 }),
  );
  addCleanup('flavor', () => admin.compute.flavors.remove(huge.id));
  await record('compute/flavor-extra-specs', () =>
    admin.compute.flavors.setExtraSpecs(huge.id, { 'resources:CUSTOM_GPU_A100': '9' }),
  );
  await record('compute/flavors', () => flavors.list());
  await record('compute/flavors-all', () => admin.compute.flavors.list({ is_public: 'None' }));
  await record('compute/flavor', () => flavors.get(flavor.id));
  await record('compute/flavor-not-found', () => flavors.get(unknownId));
  await record('compute/flavor-forbidden', () =>
    flavors.create({ name: 'record-not', vcpus: 1, ram: 64, disk: 0 }),
  );
  await record('compute/availability-zones', () => mine.compute.availabilityZones.list());

  const base = { flavorRef: flavor.id, networks: [{ uuid: network.id }] };
  await record('compute/server-invalid', () => servers.create({ ...base, name: '', adminPass: 'x' }));
  const many = { ...base, name: 'record-many', imageRef: image.id, min_count: 11 };
  await record('compute/server-quota', () => servers.create(many));
  await record('compute/server-not-found', () => servers.get(unknownId));

  const plain = await recordRequired('compute/server-create', () =>
    servers.create({
      ...base,
      name: 'record-plain',
      imageRef: image.id,
      key_name: 'record-key',
      metadata: { purpose: 'fixtures' },
    }),
  );
  addCleanup('server', () => removeServer(plain.id));
  await active(plain.id);
  const volume = await mine.blockStorage.volumes.create({
    name: 'record-boot',
    size: 1,
    imageRef: image.id,
  });
  await available(volume.id);
  const fromVolume = await servers.create({
    ...base,
    name: 'record-from-volume',
    block_device_mapping_v2: [
      {
        boot_index: 0,
        uuid: volume.id,
        source_type: 'volume',
        destination_type: 'volume',
        delete_on_termination: true,
      },
    ],
  });
  addCleanup('server from a volume', () => removeServer(fromVolume.id));
  await active(fromVolume.id);
  const failed = await servers.create({
    ...base,
    name: 'record-failed',
    flavorRef: huge.id,
    imageRef: image.id,
  });
  addCleanup('failed server', () => removeServer(failed.id));
  await waitForStatus(() => servers.get(failed.id), statusOf, {
    ...waitOptions('The server'),
    targetStates: ['ERROR'],
    failedStates: ['ACTIVE'],
  });

  const port = (await ports.list({ device_id: plain.id }))[0];
  const address = await recordRequired('network/floating-ip-create', () =>
    floatingIps.create({ floating_network_id: external.id, port_id: port?.id }),
  );
  addCleanup('floating IP', () => floatingIps.remove(address.id));
  const withAddress = (): Promise<string> =>
    servers
      .get(plain.id)
      .then((server) => (JSON.stringify(server.addresses).includes('floating') ? 'yes' : 'no'));
  await waitForStatus(withAddress, (status) => status, {
    ...waitOptions('The address'),
    targetStates: ['yes'],
    failedStates: [],
  });
  await record('network/floating-ips', () => floatingIps.list());
  await record('network/floating-ip', () => floatingIps.get(address.id));
  await record('network/ports', () => ports.list());
  await record('network/port', () => ports.get(port?.id ?? ''));

  const extra = await mine.blockStorage.volumes.create({ name: 'record-extra', size: 1 });
  await available(extra.id);
  await record('compute/volume-attach', () =>
    mine.compute.volumeAttachments.attach(plain.id, {
      volumeId: extra.id,
      delete_on_termination: true,
    }),
  );
  await waitForStatus(() => mine.blockStorage.volumes.get(extra.id), statusOf, {
    ...waitOptions('The volume'),
    targetStates: ['in-use'],
    failedStates: ['error'],
  });
  await record('compute/volume-attachments', () => mine.compute.volumeAttachments.list(plain.id));
  await record('compute/interfaces', () => mine.compute.interfaces.list(plain.id));
  await record('compute/boot-volume-detach', () =>
    mine.compute.volumeAttachments.detach(fromVolume.id, volume.id),
  );
  await record('compute/server-start-active', () => servers.start(plain.id));
  await record('compute/servers', () => servers.list());
  await recordPages('compute/servers-page', (query) => servers.listPage(query), 2);
  await record('compute/server', () => servers.get(plain.id));
  await record('compute/server-from-volume', () => servers.get(fromVolume.id));
  await record('compute/server-failed', () => servers.get(failed.id));
  await record('compute/servers-by-name', () => servers.listByName('record-plain'));
  await record('compute/limits', () => mine.compute.limits.get());
  await record('compute/quotas', () => mine.compute.quotas.get(network.project_id));
  await record('compute/usage', () => mine.compute.usage.listServers(network.project_id, lastDay()));
  await record('placement/candidates', () => admin.placement.providers.summaries());
  await record('block-storage/volumes', () => mine.blockStorage.volumes.list());
  await record('block-storage/volume', () => mine.blockStorage.volumes.get(volume.id));
  await record('block-storage/volume-in-use', () => mine.blockStorage.volumes.remove(volume.id));
  await recordPages('block-storage/volumes-page', (query) => mine.blockStorage.volumes.listPage(query), 1);
  await record('block-storage/limits', () => mine.blockStorage.limits.get());
  await record('block-storage/quotas', () => mine.blockStorage.quotas.get(network.project_id));

  async function removeServer(id: string): Promise<void> {
    await servers.remove(id);
    await waitForGone(() => servers.get(id), statusOf, waitOptions('The server'));
  }
  function lastDay() {
    return { start: new Date(Date.now() - 86_400_000), end: new Date() };
  }
  function active(id: string) {
    return waitForStatus(() => servers.get(id), statusOf, {
      ...waitOptions('The server'),
      targetStates: ['ACTIVE'],
      failedStates: ['ERROR'],
    });
  }
  function available(id: string) {
    return waitForStatus(() => mine.blockStorage.volumes.get(id), statusOf, {
      ...waitOptions('The volume'),
      targetStates: ['available'],
      failedStates: ['error'],
    });
  }
}
