import { createHash } from 'node:crypto';
import type { BlockStorageState } from '../block-storage/state.ts';
import { fixedHexId, fixedUuid } from '../common/ids.ts';
import { addHost } from '../compute/add-host.ts';
import { fingerprintOf } from '../compute/key-pairs.ts';
import type { ComputeState } from '../compute/state.ts';
import type { ContainerInfraState } from '../container-infra/state.ts';
import type { IdentityState } from '../identity/state.ts';
import { grantKey } from '../identity/state.ts';
import type { ImageCloud } from '../image/cloud.ts';
import type { NetworkCloud } from '../network/cloud.ts';
import { defaultGroup } from '../network/security-groups.ts';
import type { SharedFileSystemState } from '../shared-file-system/state.ts';
import { projectId, userId } from './ids.ts';
import { seedNetwork } from './network.ts';

/** The state that the seed fills. */
interface SeededCloud extends NetworkCloud, ImageCloud {
  readonly identity: IdentityState;
  readonly compute: ComputeState;
  readonly blockStorage: BlockStorageState;
  readonly sharedFileSystem: SharedFileSystemState;
  readonly containerInfra: ContainerInfraState;
}

/** Fills the cloud with the users, projects and resources that demos and tests begin with. */
export function seed(cloud: SeededCloud): void {
  seedIdentity(cloud);
  seedImages(cloud);
  seedCompute(cloud);
  seedStorage(cloud);
  seedClusterTemplates(cloud);
  for (const name of Object.keys(PROJECTS)) defaultGroup(cloud, projectId(name));
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

function seedIdentity({ identity }: SeededCloud): void {
  const description = 'The default domain';
  identity.domains.set('default', { id: 'default', name: 'Default', description, enabled: true });
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
      passwordExpiresMs: null,
      options: {},
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

function seedImages({ images, clock }: SeededCloud): void {
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
      tags: [],
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

function seedCompute({ compute, clock }: SeededCloud): void {
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
  addHost(compute, 'compute-1');
  addHost(compute, 'gpu-1', { a100: 8, VGPU: 16 });
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
  compute.quotas.set(projectId('service'), { instances: 50, cores: 200, ram: 2 ** 20 });
  compute.quotas.set(projectId('demo'), {
    instances: 500,
    cores: 4000,
    ram: 16 * 2 ** 20,
    key_pairs: 200,
    server_groups: 100,
    server_group_members: 100,
  });
}

function seedStorage({ blockStorage, sharedFileSystem }: SeededCloud): void {
  const types: [string, string][] = [
    ['standard', 'Sparse files'],
    ['fast', 'Sparse files, called fast'],
    ['__DEFAULT__', 'Default Volume Type'],
  ];
  for (const [name, description] of types) {
    const id = fixedUuid(`volume-type:${name}`);
    blockStorage.types.set(id, { id, name, description, isPublic: true, extraSpecs: {}, access: new Set() });
  }
  blockStorage.quotas.set(projectId('service'), { volumes: 100, gigabytes: 10_000 });
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
  sharedFileSystem.quotas.set(projectId('service'), { shares: 200, gigabytes: 20_000 });
  sharedFileSystem.quotas.set(projectId('demo'), {
    shares: 300,
    gigabytes: 30_000,
    snapshots: 300,
    snapshot_gigabytes: 30_000,
    share_networks: 50,
  });
}

function seedClusterTemplates({ clock, containerInfra }: SeededCloud): void {
  const id = fixedUuid('cluster-template:k8s-template');
  containerInfra.templates.set(id, {
    id,
    name: 'k8s-template',
    version: 'v1.23.3',
    projectId: projectId('admin'),
    userId: userId('admin'),
    isPublic: true,
    isHidden: false,
    createdMs: clock.now(),
  });
}
