/** How the rows of the list of a resource become events for listeners (`GET /api/events`). */
export interface WatchedRows {
  /** The key of the time between two polls, under `events.interval` of the configuration. */
  interval: string;
  /** The field with the id; `id` by default. */
  idField?: string;
  /** The field with the state; null if the rows have none, and `status` by default. */
  stateField?: string | null;
  /** Further fields whose change is reported, such as the time of the last change of a part. */
  details?: readonly string[];
  /** Whether each user has rows of their own. */
  isPerUser?: boolean;
  /** The field with the project of the row, if the list also has rows of other projects. */
  projectField?: string;
}

interface ResourceFacts {
  /** The parameter of paths with its id; absent if no path names it. */
  idParam?: string;
  /**
   * Its list, whose changes listeners learn. One endpoint declares it as `watched`. Absent if the resource
   * has no list of its own in a project, or is the same in all projects.
   */
  watched?: WatchedRows;
  /** Whether a job creates it and streams events of the shape `ResourceMessage`. */
  isCreatedByJob?: boolean;
}

/**
 * The resources of the interface that writes change. A write declares what it changes, a cached list what it
 * depends on, and a job what it creates, by these names. They follow from the interface, so that a new list
 * of a known resource needs no new name here. Some resources have no endpoint yet.
 */
export const resources = {
  auto_backup: {
    watched: {
      interval: 'backups',
      stateField: 'last_status',
    },
  },
  backup: {
    idParam: 'backup_id',
    watched: { interval: 'backups' },
    isCreatedByJob: true,
  },
  cluster: {
    idParam: 'cluster_id',
    watched: { interval: 'clusters' },
    isCreatedByJob: true,
  },
  container: {
    idParam: 'container_id',
    watched: { interval: 'containers' },
  },
  domain: { idParam: 'domain_id' },
  file_storage: {
    idParam: 'file_storage_id',
    watched: { interval: 'fileStorages', projectField: 'project_id' },
    isCreatedByJob: true,
  },
  flavor: { idParam: 'flavor_id' },
  floating_ip: {
    idParam: 'fip_id',
    watched: { interval: 'networks' },
  },
  group: { idParam: 'group_id' },
  hypervisor: {},
  image: {
    idParam: 'image_id',
    watched: { interval: 'images', projectField: 'owner' },
    isCreatedByJob: true,
  },
  instance: {
    idParam: 'instance_id',
    watched: { interval: 'instances' },
  },
  keypair: {
    idParam: 'keypair_name',
    watched: {
      interval: 'keypairs',
      idField: 'name',
      stateField: null,
      isPerUser: true,
    },
  },
  library: {},
  lite_cluster: {
    idParam: 'cluster_id',
    watched: { interval: 'liteClusters' },
  },
  load_balancer: {
    idParam: 'lb_id',
    watched: { interval: 'loadBalancers', details: ['operating_status', 'updated_at'] },
  },
  network: {
    idParam: 'network_id',
    watched: { interval: 'networks', projectField: 'project_id' },
  },
  port: { idParam: 'port_id' },
  project: { idParam: 'project_id' },
  quota: {},
  role: {},
  router: {
    idParam: 'router_id',
    watched: { interval: 'networks' },
  },
  security_group: {
    idParam: 'sg_id',
    watched: { interval: 'securityGroups', stateField: null },
  },
  security_service: { idParam: 'security_service_id' },
  server_group: { idParam: 'server_group_id' },
  share_network: { idParam: 'share_network_id' },
  share_snapshot: { idParam: 'share_snapshot_id' },
  snapshot: {
    idParam: 'snapshot_id',
    watched: { interval: 'snapshots' },
  },
  subnet: { idParam: 'subnet_id' },
  transfer: {
    idParam: 'transfer_id',
    watched: { interval: 'backups', stateField: null },
  },
  user: { idParam: 'user_id' },
  volume: {
    idParam: 'volume_id',
    watched: { interval: 'volumes' },
    isCreatedByJob: true,
  },
  volume_type: { idParam: 'volume_type_id' },
  webhook: { idParam: 'webhook_id' },
} as const satisfies Record<string, ResourceFacts>;

type Resources = typeof resources;

export type ResourceName = keyof Resources;

/** The resources with a fact, such as a list that is watched. */
type ResourceWith<Fact extends keyof ResourceFacts> = {
  [Name in ResourceName]: Fact extends keyof Resources[Name] ? Name : never;
}[ResourceName];

/** A resource of a project whose changes listeners learn. */
export type WatchedResource = ResourceWith<'watched'>;

export type CreatedResource = ResourceWith<'isCreatedByJob'>;

export const watchedResources = namesWith('watched');

export const createdResources = namesWith('isCreatedByJob');

export function watchedRowsOf(resource: WatchedResource): WatchedRows {
  return resources[resource].watched;
}

/** The resources whose id the parameter is. */
export function resourcesOfParam(param: string): ResourceName[] {
  return (Object.keys(resources) as ResourceName[]).filter((name) => idParamOf(name) === param);
}

export function idParamOf(resource: ResourceName): string | undefined {
  const { idParam }: ResourceFacts = resources[resource];
  return idParam;
}

export function isWatched(resource: ResourceName): resource is WatchedResource {
  return 'watched' in resources[resource];
}

function namesWith<Fact extends keyof ResourceFacts>(fact: Fact): ResourceWith<Fact>[] {
  const names = Object.keys(resources) as ResourceName[];
  return names.filter((name): name is ResourceWith<Fact> => fact in resources[name]);
}
