import type { Cloud } from '../cloud/cloud.ts';

interface OwnedResource {
  id: string;
  project: string;
}

interface ProjectRecord {
  id: string;
  projectId: string;
}

type Inventory = Record<string, { count: number; ids: string[] }>;

/** The resources of each project by kind, for leak checks. */
export function inventoryByProject(cloud: Cloud): object {
  const kinds: [string, OwnedResource[]][] = [
    ['servers', rows(cloud.compute.servers.values(), (server) => server.projectId)],
    ['volumes', rows(cloud.blockStorage.volumes.values(), (volume) => volume.projectId)],
    ['snapshots', rows(cloud.blockStorage.snapshots.values(), (snapshot) => snapshot.projectId)],
    ['backups', rows(cloud.blockStorage.backups.values(), (backup) => backup.projectId)],
    ['images', rows(cloud.images.images.values(), (image) => image.ownerId)],
    ['transfers', rows(cloud.blockStorage.transfers.values(), (transfer) => transfer.projectId)],
    ['shares', rows(cloud.sharedFileSystem.shares.values(), (share) => share.projectId)],
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
    ['floating_ips', rows(cloud.network.floatingIps.values(), (floating) => floating.project_id)],
    ['ports', rows(cloud.network.ports.values(), (port) => port.project_id)],
    ['networks', rows(cloud.network.networks.values(), (network) => network.project_id)],
    ['routers', rows(cloud.network.routers.values(), (router) => router.project_id)],
    ['security_groups', rows(cloud.network.securityGroups.values(), (group) => group.project_id)],
    ['load_balancers', recordRows(cloud.loadBalancer.loadBalancers)],
    ['listeners', recordRows(cloud.loadBalancer.listeners)],
    ['pools', recordRows(cloud.loadBalancer.pools)],
    ['members', recordRows(cloud.loadBalancer.members)],
    ['health_monitors', recordRows(cloud.loadBalancer.monitors)],
    ['clusters', recordRows(cloud.containerInfra.clusters)],
    ['containers', recordRows(cloud.container.containers)],
    ['application_credentials', credentialRows(cloud, false)],
    ['unrestricted_credentials', credentialRows(cloud, true)],
    ['secrets', rows(cloud.keyManager.secrets.values(), (secret) => secret.projectId)],
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

function rows<T extends { id: string }>(
  records: Iterable<T>,
  projectOf: (record: T) => string,
): OwnedResource[] {
  return [...records].map((record) => ({ id: record.id, project: projectOf(record) }));
}

function credentialRows(cloud: Cloud, isUnrestricted: boolean): OwnedResource[] {
  const credentials = [...cloud.identity.applicationCredentials.values()];
  return recordRows(credentials.filter(({ unrestricted }) => unrestricted === isUnrestricted));
}

function recordRows(records: ReadonlyMap<string, ProjectRecord> | readonly ProjectRecord[]): OwnedResource[] {
  return rows(records.values(), (record) => record.projectId);
}
