import type { Cloud } from '../cloud/cloud.ts';

interface OwnedResource {
  id: string;
  project: string;
}

type Inventory = Record<string, { count: number; ids: string[] }>;

/** A record that belongs to a project. */
type OwnedRecord = { id: string } & ({ projectId: string } | { project_id: string } | { ownerId: string });

type Collection = ReadonlyMap<string, OwnedRecord>;

/** The services whose states have such records, except for the identity service. */
type Services = Pick<
  Cloud,
  | 'blockStorage'
  | 'compute'
  | 'container'
  | 'containerInfra'
  | 'images'
  | 'keyManager'
  | 'loadBalancer'
  | 'network'
  | 'sharedFileSystem'
>;

type OwnedCollection<State> = {
  [Name in keyof State]: State[Name] extends Collection ? Name : never;
}[keyof State];

/** The kind of each collection of records of projects. Null for what goes with another record or stays. */
const KINDS: { [Service in keyof Services]: Record<OwnedCollection<Services[Service]>, string | null> } = {
  compute: { servers: 'servers', serverGroups: null },
  blockStorage: {
    volumes: 'volumes',
    snapshots: 'snapshots',
    backups: 'backups',
    transfers: 'transfers',
  },
  images: { images: 'images' },
  sharedFileSystem: { shares: 'shares', snapshots: null, shareNetworks: null },
  network: {
    floatingIps: 'floating_ips',
    ports: 'ports',
    networks: 'networks',
    routers: 'routers',
    securityGroups: 'security_groups',
    rules: null,
    subnets: null,
  },
  loadBalancer: {
    loadBalancers: 'load_balancers',
    listeners: 'listeners',
    pools: 'pools',
    members: 'members',
    monitors: 'health_monitors',
  },
  containerInfra: { clusters: 'clusters', templates: null },
  container: { containers: 'containers' },
  keyManager: { secrets: 'secrets' },
};

/** The resources of each project by kind, for leak checks. */
export function inventoryByProject(cloud: Cloud): object {
  const kinds: [string, OwnedResource[]][] = [
    ...countedCollections(cloud),
    [
      'access_rules',
      rows(
        cloud.sharedFileSystem.rules.values(),
        (rule) => cloud.sharedFileSystem.shares.get(rule.shareId)?.projectId ?? '',
      ),
    ],
    [
      'attachments',
      [...cloud.compute.servers.values()].flatMap((server) =>
        server.volumes.map(({ volumeId }) => ({ id: `${server.id}/${volumeId}`, project: server.projectId })),
      ),
    ],
    ['application_credentials', credentialRows(cloud, false)],
    ['unrestricted_credentials', credentialRows(cloud, true)],
    ['trusts', rows(cloud.identity.trusts.values(), (trust) => trust.projectId)],
  ];
  const projects: Record<string, { name: string; resources: Inventory }> = {};
  for (const project of cloud.identity.projects.values()) {
    const resources: Inventory = {};
    for (const [kind, all] of kinds) {
      const ids = all.filter((row) => row.project === project.id).map((row) => row.id);
      resources[kind] = { count: ids.length, ids };
    }
    projects[project.id] = { name: project.name, resources };
  }
  const totals = Object.fromEntries(kinds.map(([kind, all]) => [kind, all.length]));
  return { projects, totals };
}

function countedCollections(cloud: Services): [string, OwnedResource[]][] {
  return Object.entries(KINDS).flatMap(([service, collections]) =>
    Object.entries<string | null>(collections).flatMap(([name, kind]): [string, OwnedResource[]][] => {
      if (kind === null) return [];
      const state = cloud[service as keyof Services] as unknown as Record<string, Collection>;
      return [[kind, rows(state[name]?.values() ?? [], projectOf)]];
    }),
  );
}

function projectOf(record: OwnedRecord): string {
  if ('projectId' in record) return record.projectId;
  return 'project_id' in record ? record.project_id : record.ownerId;
}

function rows<T extends { id: string }>(
  records: Iterable<T>,
  projectOf: (record: T) => string,
): OwnedResource[] {
  return [...records].map((record) => ({ id: record.id, project: projectOf(record) }));
}

function credentialRows(cloud: Cloud, isUnrestricted: boolean): OwnedResource[] {
  const credentials = [...cloud.identity.applicationCredentials.values()];
  return rows(
    credentials.filter(({ unrestricted }) => unrestricted === isUnrestricted),
    projectOf,
  );
}
