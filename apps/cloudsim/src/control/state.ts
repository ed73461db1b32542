import { blockStorageKinds } from '../block-storage/state.ts';
import type { Cloud } from '../cloud/cloud.ts';
import { computeKinds } from '../compute/state.ts';
import { containerKinds } from '../container/state.ts';
import { containerInfraKinds } from '../container-infra/state.ts';
import { imageKinds } from '../image/state.ts';
import { keyManagerKinds } from '../key-manager/state.ts';
import { loadBalancerKinds } from '../load-balancer/state.ts';
import { networkKinds } from '../network/state.ts';
import { sharedFileSystemKinds } from '../shared-file-system/state.ts';

interface OwnedResource {
  id: string;
  project: string;
}

type Inventory = Record<string, { count: number; ids: string[] }>;

/** A record that belongs to a project. */
type OwnedRecord = { id: string } & ({ projectId: string } | { project_id: string } | { ownerId: string });

type Collection<Of extends { id: string }> = ReadonlyMap<string, Of>;

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

/**
 * The kind of each collection of records in the state of a service, for leak checks. Null for what belongs to
 * no project, goes with another record, or stays.
 */
type RecordKinds<State> = {
  readonly [Name in keyof State as State[Name] extends Collection<{ id: string }>
    ? Name
    : never]: State[Name] extends Collection<OwnedRecord> ? string | null : null;
};

const KINDS: { [Service in keyof Services]: RecordKinds<Services[Service]> } = {
  compute: computeKinds,
  blockStorage: blockStorageKinds,
  images: imageKinds,
  sharedFileSystem: sharedFileSystemKinds,
  network: networkKinds,
  loadBalancer: loadBalancerKinds,
  containerInfra: containerInfraKinds,
  container: containerKinds,
  keyManager: keyManagerKinds,
};

interface RecordCollection {
  /** Such as `compute.servers`. */
  name: string;
  kind: string | null;
  records: Map<string, { id: string }>;
}

/** The collections of records of all services, except for the identity service. */
export function recordCollections(cloud: Services): RecordCollection[] {
  return Object.entries(KINDS).flatMap(([service, kinds]) => {
    const state = cloud[service as keyof Services] as unknown as Record<string, RecordCollection['records']>;
    return Object.entries<string | null>(kinds).map(([name, kind]) => ({
      name: `${service}.${name}`,
      kind,
      records: state[name] ?? new Map(),
    }));
  });
}

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
  return recordCollections(cloud).flatMap(({ kind, records }): [string, OwnedResource[]][] =>
    kind === null ? [] : [[kind, rows(records.values() as Iterable<OwnedRecord>, projectOf)]],
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
