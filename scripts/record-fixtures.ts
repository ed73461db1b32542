/**
 * Records what a real cloud answers into test/fixtures/openstack. Reads the usual OS_* variables: a user with a project
 * that is otherwise empty and may be changed, and TESTCLOUD_ADMIN_* for what only an administrator sees. Everything
 * made is named `record-…` and removed at the end.
 */
import { env } from 'node:process';
import { newRequestId } from '@gateway/core';
import { type BoundClient, createOpenstack, waitForGone, waitForStatus } from '@gateway/openstack';
import { record, startRecording } from './fixture-recorder.ts';

const nowhere = '00000000-0000-4000-8000-000000000000';
const call = { requestId: newRequestId(), retry: 'none' as const };
const openstack = createOpenstack({
  identity: {
    url: variable('OS_AUTH_URL'),
    region: variable('OS_REGION_NAME'),
    interface: 'public',
    caFile: null,
    endpoints: {},
    adminRole: 'admin',
  },
  timeLimits: { upstreamRequestSeconds: 60 },
});
/** Removals, the last made first. */
const undo: { what: string; run: () => Promise<unknown> }[] = [];

startRecording();
try {
  const login = {
    username: variable('OS_USERNAME'),
    password: variable('OS_PASSWORD'),
    domainName: variable('OS_USER_DOMAIN_NAME'),
  };
  const project = {
    name: variable('OS_PROJECT_NAME'),
    domainName: variable('OS_PROJECT_DOMAIN_NAME'),
  };
  const me = await openstack.identity.authenticate({ ...login, project }, call);
  const root = await openstack.identity.authenticate(
    {
      username: variable('TESTCLOUD_ADMIN_USERNAME'),
      password: variable('TESTCLOUD_ADMIN_PASSWORD'),
      domainName: login.domainName,
      project: { name: variable('TESTCLOUD_ADMIN_PROJECT_NAME'), domainName: project.domainName },
    },
    call,
  );
  const mine = openstack.as(me, call);
  const admin = openstack.as(root, call);

  await recordIdentity(mine, admin);
  await recordImages(mine);
  const networks = await recordNetworks(mine);
  await recordCompute(mine, admin, networks);
  await recordVolumes(mine);
  await recordShares(mine);

  async function recordIdentity(mine: BoundClient, admin: BoundClient): Promise<void> {
    await record('identity/token', () => openstack.identity.authenticate({ ...login, project }, call));
    await record('identity/token-unscoped', () => openstack.identity.authenticate(login, call));
    await record('identity/token-validate', () => openstack.identity.validate(me.token, call));
    await record('identity/token-rescope', () => openstack.identity.rescope(me.token, me.projectId, call));
    await record('identity/token-wrong-password', () =>
      openstack.identity.authenticate({ ...login, password: 'wrong' }, call),
    );
    await record('identity/token-no-access', () => openstack.identity.rescope(me.token, nowhere, call));
    await record('identity/token-unreadable', () =>
      openstack.identity.rescope('unreadable', me.projectId, call),
    );
    await record('identity/token-unknown', () => openstack.identity.validate('unknown', call));
    await record('identity/projects-mine', () => mine.identity.projects.listMine());
    await record('identity/projects', () => admin.identity.projects.list());
    await record('identity/project', () => admin.identity.projects.get(me.projectId));
    await record('identity/users', () => admin.identity.users.list());
    await record('identity/user', () => mine.identity.users.get(me.userId));
    await record('identity/user-forbidden', () => mine.identity.users.get(root.userId));
    await record('identity/password-wrong', () =>
      mine.identity.users.changePassword(me.userId, { current: 'wrong', new: 'newer' }),
    );
    const trust = await record('identity/trust-create', () =>
      mine.identity.trusts.create({
        trustor_user_id: me.userId,
        trustee_user_id: root.userId,
        project_id: me.projectId,
        impersonation: true,
        roles: [{ name: 'member' }],
      }),
    );
    if (trust === undefined) return;
    await record('identity/trust', () => mine.identity.trusts.get(trust.id));
    await record('identity/trust-remove', () => mine.identity.trusts.remove(trust.id));
  }

  async function recordImages(mine: BoundClient): Promise<void> {
    const images = await record('image/images', () => mine.image.images.list());
    const first = images?.[0];
    if (first !== undefined) await record('image/image', () => mine.image.images.get(first.id));
    await record('image/image-not-found', () => mine.image.images.get(nowhere));
    await recordPages('image/images-page', (query) => mine.image.images.listPage(query), 2);
  }

  async function recordNetworks(mine: BoundClient) {
    const { networks, subnets, routers, ports, floatingIps } = mine.network;
    const network = await must('network/network-create', () =>
      networks.create({ name: 'record-net', description: 'For fixtures' }),
    );
    later('network', () => networks.remove(network.id));
    const subnet = await must('network/subnet-create', () =>
      subnets.create({
        network_id: network.id,
        name: 'record-subnet',
        cidr: '10.20.0.0/24',
        ip_version: 4,
      }),
    );
    await record('network/subnet-invalid', () =>
      subnets.create({ network_id: network.id, cidr: 'not-a-cidr', ip_version: 4 }),
    );
    const external = (await networks.list({ 'router:external': true }))[0];
    if (external === undefined) throw new Error('The cloud has no external network.');
    const router = await must('network/router-create', () =>
      routers.create({
        name: 'record-router',
        external_gateway_info: { network_id: external.id },
      }),
    );
    later('router', () => routers.remove(router.id));
    await record('network/router-interface-add', () =>
      routers.addInterface(router.id, { subnet_id: subnet.id }),
    );
    later('router interface', () => routers.removeInterface(router.id, { subnet_id: subnet.id }));
    await record('network/network-in-use', () => networks.remove(network.id));
    await record('network/network-not-found', () => networks.get(nowhere));
    await record('network/networks', () => networks.list());
    await record('network/network', () => networks.get(network.id));
    await record('network/subnets', () => subnets.list());
    await record('network/routers', () => routers.list());
    await record('network/router', () => routers.get(router.id));
    await record('network/router-in-use', () => routers.remove(router.id));
    await recordPages('network/networks-page', (query) => networks.listPage(query), 1);

    const spare: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      const made = await record('network/router-quota', () =>
        routers.create({ name: `record-spare-${count}` }),
      );
      if (made === undefined) break;
      spare.push(made.id);
    }
    for (const id of spare) await routers.remove(id);
    return { network, external, ports, floatingIps };
  }

  async function recordCompute(
    mine: BoundClient,
    admin: BoundClient,
    { network, external, ports, floatingIps }: Awaited<ReturnType<typeof recordNetworks>>,
  ): Promise<void> {
    const { servers, flavors, keypairs } = mine.compute;
    const image = (await mine.image.images.list()).find(({ name }) => name?.startsWith('ubuntu'));
    const flavor = (await flavors.list()).find(({ name }) => name === 'm1.tiny');
    if (image === undefined || flavor === undefined) throw new Error('The cloud is not seeded.');

    await record('compute/keypair-create', () => keypairs.create({ name: 'record-key' }));
    later('key pair', () => keypairs.remove('record-key'));
    await record('compute/keypair-exists', () => keypairs.create({ name: 'record-key' }));
    await record('compute/keypairs', () => keypairs.list());
    await record('compute/keypair', () => keypairs.get('record-key'));

    const huge = await must('compute/flavor-create', () =>
      admin.compute.flavors.create({ name: 'record-huge', vcpus: 8, ram: 2 ** 14, disk: 1 }),
    );
    later('flavor', () => admin.compute.flavors.remove(huge.id));
    await record('compute/flavor-extra-specs', () =>
      admin.compute.flavors.setExtraSpecs(huge.id, { 'resources:CUSTOM_GPU_A100': '9' }),
    );
    await record('compute/flavors', () => flavors.list());
    await record('compute/flavors-all', () => admin.compute.flavors.list({ is_public: 'None' }));
    await record('compute/flavor', () => flavors.get(flavor.id));
    await record('compute/flavor-not-found', () => flavors.get(nowhere));
    await record('compute/flavor-forbidden', () =>
      flavors.create({ name: 'record-not', vcpus: 1, ram: 64, disk: 0 }),
    );
    await record('compute/availability-zones', () => mine.compute.availabilityZones.list());

    const base = { flavorRef: flavor.id, networks: [{ uuid: network.id }] };
    await record('compute/server-invalid', () => servers.create({ ...base, name: '', adminPass: 'x' }));
    const many = { ...base, name: 'record-many', imageRef: image.id, min_count: 11 };
    await record('compute/server-quota', () => servers.create(many));
    await record('compute/server-not-found', () => servers.get(nowhere));

    const plain = await must('compute/server-create', () =>
      servers.create({
        ...base,
        name: 'record-plain',
        imageRef: image.id,
        key_name: 'record-key',
        metadata: { purpose: 'fixtures' },
      }),
    );
    later('server', () => removeServer(plain.id));
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
    later('server from a volume', () => removeServer(fromVolume.id));
    await active(fromVolume.id);
    const failed = await servers.create({
      ...base,
      name: 'record-failed',
      flavorRef: huge.id,
      imageRef: image.id,
    });
    later('failed server', () => removeServer(failed.id));
    await waitForStatus(() => servers.get(failed.id), statusOf, {
      ...patience('The server'),
      target: ['ERROR'],
      failure: ['ACTIVE'],
    });

    const port = (await ports.list({ device_id: plain.id }))[0];
    const address = await must('network/floating-ip-create', () =>
      floatingIps.create({ floating_network_id: external.id, port_id: port?.id }),
    );
    later('floating IP', () => floatingIps.remove(address.id));
    const withAddress = (): Promise<string> =>
      servers
        .get(plain.id)
        .then((server) => (JSON.stringify(server.addresses).includes('floating') ? 'yes' : 'no'));
    await waitForStatus(withAddress, (status) => status, {
      ...patience('The address'),
      target: ['yes'],
      failure: [],
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
      ...patience('The volume'),
      target: ['in-use'],
      failure: ['error'],
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
    await record('block-storage/volumes', () => mine.blockStorage.volumes.list());
    await record('block-storage/volume', () => mine.blockStorage.volumes.get(volume.id));
    await record('block-storage/volume-in-use', () => mine.blockStorage.volumes.remove(volume.id));
    await recordPages('block-storage/volumes-page', (query) => mine.blockStorage.volumes.listPage(query), 1);
    await record('block-storage/limits', () => mine.blockStorage.limits.get());

    async function removeServer(id: string): Promise<void> {
      await servers.remove(id);
      await waitForGone(() => servers.get(id), statusOf, patience('The server'));
    }
    function active(id: string) {
      return waitForStatus(() => servers.get(id), statusOf, {
        ...patience('The server'),
        target: ['ACTIVE'],
        failure: ['ERROR'],
      });
    }
    function available(id: string) {
      return waitForStatus(() => mine.blockStorage.volumes.get(id), statusOf, {
        ...patience('The volume'),
        target: ['available'],
        failure: ['error'],
      });
    }
  }

  async function recordVolumes(mine: BoundClient): Promise<void> {
    const { volumes } = mine.blockStorage;
    await record('block-storage/volume-not-found', () => volumes.get(nowhere));
    await record('block-storage/volume-invalid', () => volumes.create({ size: -1 }));
    await record('block-storage/volume-quota', () => volumes.create({ name: 'record-big', size: 100_000 }));
    const small = await must('block-storage/volume-create', () =>
      volumes.create({ name: 'record-small', size: 1, metadata: { purpose: 'fixtures' } }),
    );
    later('volume', async () => {
      await waitForStatus(() => volumes.get(small.id), statusOf, {
        ...patience('The volume'),
        target: ['available', 'error'],
        failure: [],
      });
      await volumes.remove(small.id);
    });
  }

  async function recordShares(mine: BoundClient): Promise<void> {
    const { shares, accessRules, exportLocations, shareTypes, limits } = mine.sharedFileSystem;
    await record('shared-file-system/share-not-found', () => shares.get(nowhere));
    await record('shared-file-system/share-quota', () =>
      shares.create({ share_proto: 'NFS', size: 100_000, name: 'record-big' }),
    );
    await record('shared-file-system/share-types', () => shareTypes.list());
    const share = await must('shared-file-system/share-create', () =>
      shares.create({
        share_proto: 'CEPHFS',
        share_type: 'cephfs',
        size: 1,
        name: 'record-share',
        metadata: { purpose: 'fixtures' },
      }),
    );
    later('share', async () => {
      await shares.remove(share.id);
      await waitForGone(() => shares.get(share.id), statusOf, patience('The share'));
    });
    await record('shared-file-system/share-busy', () =>
      accessRules.allow(share.id, {
        access_type: 'cephx',
        access_to: 'record-early',
        access_level: 'ro',
      }),
    );
    await waitForStatus(() => shares.get(share.id), statusOf, {
      ...patience('The share'),
      target: ['available'],
      failure: ['error'],
    });
    const rule = await must('shared-file-system/access-rule-allow', () =>
      accessRules.allow(share.id, {
        access_type: 'cephx',
        access_to: 'record-user',
        access_level: 'ro',
      }),
    );
    await waitForStatus(
      () => accessRules.get(rule.id),
      ({ state }) => state,
      { ...patience('The access rule'), target: ['active'], failure: ['error'] },
    );
    await record('shared-file-system/access-rules', () => accessRules.list(share.id));
    await record('shared-file-system/access-rule', () => accessRules.get(rule.id));
    await record('shared-file-system/access-rule-exists', () =>
      accessRules.allow(share.id, {
        access_type: 'cephx',
        access_to: 'record-user',
        access_level: 'ro',
      }),
    );
    await record('shared-file-system/access-rule-invalid', () =>
      accessRules.allow(share.id, {
        access_type: 'ip',
        access_to: 'not-an-address',
        access_level: 'ro',
      }),
    );
    await record('shared-file-system/export-locations', () => exportLocations.list(share.id));
    await record('shared-file-system/shares', () => shares.list());
    await record('shared-file-system/share', () => shares.get(share.id));
    await record('shared-file-system/limits', () => limits.get());
    await record('shared-file-system/access-rule-deny', () => accessRules.deny(share.id, rule.id));
  }
} finally {
  for (const { what, run } of undo.reverse()) {
    await run().catch((thrown: unknown) => {
      console.error(`The ${what} could not be removed:`, thrown instanceof Error ? thrown.message : thrown);
    });
  }
  openstack.close();
}

/** Two pages, as `<name>-first` and `<name>-next`. */
async function recordPages<T extends { id: string }>(
  name: string,
  read: (query: { limit: number; marker?: string }) => Promise<{ items: T[] }>,
  limit: number,
): Promise<void> {
  const first = await record(`${name}-first`, () => read({ limit }));
  await record(`${name}-next`, () => read({ limit, marker: first?.items.at(-1)?.id }));
}

function later(what: string, run: () => Promise<unknown>): void {
  undo.push({ what, run });
}

async function must<T>(name: string, run: () => Promise<T>): Promise<T> {
  const result = await record(name, run);
  if (result === undefined) throw new Error(`${name} failed.`);
  return result;
}

function statusOf({ status }: { status: string }): string {
  return status;
}

function patience(describe: string) {
  return { describe, timeoutMs: 120_000, intervalMs: 1000 };
}

function variable(name: string): string {
  const value = env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set.`);
  return value;
}
