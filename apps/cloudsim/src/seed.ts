import { createHash } from 'node:crypto';
import type { Cloud } from './cloud.ts';
import { fingerprintOf } from './compute/key-pairs.ts';
import type { Caller } from './http/operation.ts';
import { grantKey } from './identity/state.ts';
import { fixedHexId, fixedUuid } from './ids.ts';
import type { JsonObject } from './json.ts';
import { createNetwork } from './network/networks.ts';
import { addInterface, createRouter, updateRouter } from './network/routers.ts';
import { defaultGroup } from './network/security-groups.ts';
import type { Owned } from './network/state.ts';
import { createSubnet } from './network/subnets.ts';

/** Fills the cloud with the users, projects and resources that demos and tests begin with. */
export function seed(cloud: Cloud): void {
  seedIdentity(cloud);
  seedImages(cloud);
  seedCompute(cloud);
  seedStorage(cloud);
  seedNetwork(cloud);
}

const ROLES = ['admin', 'member', 'reader', 'service'];
const PROJECTS: Record<string, string> = {
  admin: 'Bootstrap project for initializing the cloud.',
  service: 'Services',
  demo: 'Demo',
  demo2: 'Demo, second project',
  alice: 'Of alice alone',
};
const USERS: { name: string; role: string; projects: string[] }[] = [
  { name: 'admin', role: 'admin', projects: ['admin'] },
  { name: 'demo', role: 'member', projects: ['demo', 'demo2'] },
  { name: 'alice', role: 'member', projects: ['alice'] },
  { name: 'gateway', role: 'admin', projects: ['service'] },
];

export function projectId(name: string): string {
  return fixedHexId(`project:${name}`);
}

export function userId(name: string): string {
  return fixedHexId(`user:${name}`);
}

function seedIdentity({ identity }: Cloud): void {
  identity.domains.set('default', { id: 'default', name: 'Default', description: 'The default domain' });
  for (const name of ROLES) {
    const id = fixedHexId(`role:${name}`);
    identity.roles.set(id, { id, name, immutable: name !== 'service' });
  }
  for (const [name, description] of Object.entries(PROJECTS)) {
    const id = projectId(name);
    identity.projects.set(id, { id, name, domainId: 'default', description, enabled: true });
  }
  for (const { name, role, projects } of USERS) {
    const id = userId(name);
    identity.users.set(id, {
      id,
      name,
      domainId: 'default',
      password: `${name}-secret`,
      email: name === 'admin' ? null : `${name}@example.test`,
      description: null,
      enabled: true,
      defaultProjectId: null,
    });
    for (const project of projects)
      identity.grants.set(grantKey(projectId(project), id), new Set([fixedHexId(`role:${role}`)]));
  }
  const staff = fixedHexId('group:staff');
  identity.groups.set(staff, {
    id: staff,
    name: 'staff',
    description: 'Staff',
    domainId: 'default',
    userIds: new Set([userId('demo')]),
  });
}

const IMAGES: [name: string, distro: string, version: string][] = [
  ['ubuntu-22.04', 'ubuntu', '22.04'],
  ['debian-12', 'debian', '12'],
  ['fedora-coreos-37', 'fedora-coreos', '37'],
];

function seedImages({ images, clock }: Cloud): void {
  for (const [name, os_distro, os_version] of IMAGES) {
    const id = fixedUuid(`image:${name}`);
    images.images.set(id, {
      id,
      name,
      status: 'active',
      visibility: 'public',
      ownerId: projectId('admin'),
      sizeBytes: 2 ** 20,
      minDiskGb: 1,
      minRamMb: 0,
      diskFormat: 'raw',
      containerFormat: 'bare',
      checksum: createHash('md5').update(name).digest('hex'),
      createdMs: clock.now(),
      properties: { os_distro, os_version, os_type: 'linux', architecture: 'x86_64' },
    });
  }
}

interface SeededFlavor {
  name: string;
  vcpus: number;
  ramMb: number;
  diskGb: number;
  extraSpecs?: Record<string, string>;
  onlyFor?: string;
}

const FLAVORS: SeededFlavor[] = [
  { name: 'm1.tiny', vcpus: 1, ramMb: 512, diskGb: 1 },
  { name: 'm1.small', vcpus: 1, ramMb: 2048, diskGb: 20 },
  { name: 'm1.medium', vcpus: 2, ramMb: 4096, diskGb: 40 },
  { name: 'g1.small', vcpus: 4, ramMb: 16384, diskGb: 40, extraSpecs: { 'pci_passthrough:alias': 'a100:1' } },
  { name: 'v1.small', vcpus: 4, ramMb: 16384, diskGb: 40, extraSpecs: { 'resources:VGPU': '1' } },
  { name: 'p1.private', vcpus: 2, ramMb: 4096, diskGb: 20, onlyFor: 'demo2' },
];

const DEMO_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOJCe0xPTANo3z6rQZ9d/SPduSwmK2qMUxRzNHrErXyr demo@testcloud';

function seedCompute({ compute, clock }: Cloud): void {
  for (const { onlyFor, extraSpecs = {}, ...figures } of FLAVORS) {
    const id = fixedUuid(`flavor:${figures.name}`);
    compute.flavors.set(id, {
      ...figures,
      id,
      isPublic: onlyFor === undefined,
      description: null,
      extraSpecs: { ...extraSpecs },
      access: new Set(onlyFor === undefined ? [] : [projectId(onlyFor)]),
    });
  }
  const devices: [string, Record<string, number>][] = [
    ['compute-1', {}],
    ['gpu-1', { a100: 8, VGPU: 16 }],
  ];
  compute.hosts = devices.map(([name, has], index) => ({
    id: fixedUuid(`host:${name}`),
    serviceId: fixedUuid(`compute-service:${name}`),
    number: index + 1,
    name,
    vcpus: 256,
    ramMb: 2 ** 21,
    diskGb: 102_400,
    devices: has,
  }));
  compute.keyPairs.set(
    userId('demo'),
    new Map([
      [
        'demo-key',
        {
          name: 'demo-key',
          userId: userId('demo'),
          type: 'ssh',
          publicKey: DEMO_KEY,
          fingerprint: fingerprintOf(DEMO_KEY),
          createdMs: clock.now(),
          number: ++compute.lastNumber,
        },
      ],
    ]),
  );
  compute.quotas.set(projectId('demo'), {
    instances: 500,
    cores: 4000,
    ram: 16 * 2 ** 20,
    key_pairs: 200,
    server_groups: 100,
    server_group_members: 100,
  });
}

function seedStorage({ blockStorage, sharedFileSystem }: Cloud): void {
  const types: [string, string][] = [
    ['standard', 'Sparse files'],
    ['fast', 'Sparse files, called fast'],
    ['__DEFAULT__', 'Default Volume Type'],
  ];
  for (const [name, description] of types) {
    const id = fixedUuid(`volume-type:${name}`);
    blockStorage.types.set(id, { id, name, description });
  }
  blockStorage.quotas.set(projectId('demo'), {
    volumes: 500,
    gigabytes: 50_000,
    snapshots: 500,
    backups: 500,
    backup_gigabytes: 50_000,
  });
  for (const name of ['cephfs', 'default']) {
    const id = fixedUuid(`share-type:${name}`);
    sharedFileSystem.types.set(id, { id, name, isDefault: name === 'default' });
  }
  sharedFileSystem.quotas.set(projectId('demo'), {
    shares: 300,
    gigabytes: 30_000,
    snapshots: 300,
    snapshot_gigabytes: 30_000,
    share_networks: 50,
  });
}

function as(user: string, project: string): Caller {
  const roles = user === 'admin' ? ['admin'] : ['member'];
  return {
    tokenId: '',
    userId: userId(user),
    userName: user,
    projectId: projectId(project),
    roles,
    isAdmin: user === 'admin',
  };
}

function networkQuota(small: number[]): Record<string, number> {
  const [network = 0, subnet = 0, port = 0, router = 0, floatingip = 0, group = 0, rule = 0] = small;
  return {
    network,
    subnet,
    port,
    router,
    floatingip,
    security_group: group,
    security_group_rule: rule,
  };
}

function seedNetwork(cloud: Cloud): void {
  const admin = as('admin', 'admin');
  const demo = as('demo', 'demo');
  for (const name of Object.keys(PROJECTS)) defaultGroup(cloud, projectId(name));
  const external = known(
    cloud.network.networks,
    createNetwork(cloud, admin, {
      name: 'public',
      'router:external': true,
      'provider:network_type': 'flat',
      'provider:physical_network': 'external',
    }),
    'network:public',
  );
  known(
    cloud.network.subnets,
    createSubnet(
      cloud,
      admin,
      subnet('public-subnet', external.id, '203.0.113.0/24', {
        enable_dhcp: false,
        allocation_pools: [{ start: '203.0.113.10', end: '203.0.113.250' }],
      }),
    ),
    'subnet:public-subnet',
  );
  external.subnets = [fixedUuid('subnet:public-subnet')];
  const net = known(
    cloud.network.networks,
    createNetwork(cloud, demo, { name: 'demo-net' }),
    'network:demo-net',
  );
  const inner = known(
    cloud.network.subnets,
    createSubnet(
      cloud,
      demo,
      subnet('demo-subnet', net.id, '10.10.0.0/24', { dns_nameservers: ['192.0.2.53'] }),
    ),
    'subnet:demo-subnet',
  );
  net.subnets = [inner.id];
  const router = known(
    cloud.network.routers,
    createRouter(cloud, demo, { name: 'demo-router' }),
    'router:demo-router',
  );
  addInterface(cloud, demo, router.id, { subnet_id: inner.id });
  updateRouter(cloud, demo, router.id, { external_gateway_info: { network_id: external.id } });
  cloud.network.quotas.set(projectId('demo'), networkQuota([200, 200, 2000, 100, 200, 200, 2000]));
  cloud.network.quotas.set(projectId('demo2'), networkQuota([100, 100, 500, 10, 50, 10, 100]));
  cloud.network.quotas.set(projectId('alice'), networkQuota([5, 5, 50, 2, 3, 10, 100]));
}

function subnet(name: string, network_id: string, cidr: string, more: JsonObject): JsonObject {
  return { name, network_id, cidr, ip_version: 4, ...more };
}

/** Puts a record that was just made under an id which is the same in every run. */
function known<T extends Owned>(records: Map<string, T>, record: T, name: string): T {
  records.delete(record.id);
  record.id = fixedUuid(name);
  records.set(record.id, record);
  return record;
}
