import {
  isStuck,
  type RemovalOptions,
  type RemovalRights,
  removeBackup,
  removeFloatingIp,
  removeLoadBalancer,
  removePort,
  removeSecurityGroup,
  removeServer,
  removeShare,
  removeVolume,
} from '@gateway/inventory';
import { isConflict, nullIfNotFound, type ProjectClient, waitForGone } from '@gateway/openstack';
import type { ProjectResource } from '@gateway/resources';
import { removalOptions } from '../resources/wait-options.ts';
import type { PurgeStepContext } from './saga.ts';

/**
 * Removes a resource of the project and waits until it is gone. Can be repeated.
 *
 * @param factor extends the time limits, because a step removes many resources
 */
export async function removeResource(
  context: PurgeStepContext,
  { id, type }: ProjectResource,
  factor: number,
): Promise<void> {
  const {
    backupSeconds,
    liteReadySeconds,
    loadBalancerSeconds,
    serverSeconds,
    shareSeconds,
    undoSeconds,
    volumeSeconds,
  } = context.config.timeLimits;
  const client = context.remover();
  const { blockStorage, network, sharedFileSystem } = client;
  // Administrators may force a deletion themselves.
  const rights: RemovalRights = { remover: () => client, forcer: async () => client };
  const within = (kind: Parameters<typeof removalOptions>[1], seconds: number) =>
    removalOptions(context, kind, seconds * factor);
  switch (type) {
    case 'load_balancer':
      return removeLoadBalancer(
        client,
        id,
        within('load_balancer', Math.max(loadBalancerSeconds, undoSeconds)),
      );
    case 'cluster':
      await beginClusterRemoval(client.containerInfra.clusters, id);
      return waitForGone(
        () => client.containerInfra.clusters.get(id),
        ({ status }) => status,
        {
          ...within('server', liteReadySeconds),
          describe: 'The cluster',
          failedStates: ['DELETE_FAILED'],
        },
      );
    case 'container':
      return removeContainer(client, id, within('server', serverSeconds));
    case 'instance':
      return removeServer(client, id, within('server', serverSeconds));
    case 'share_snapshot':
      return removeSnapshot(sharedFileSystem.snapshots, id, {
        ...within('share', shareSeconds),
        describe: 'The snapshot of a share',
      });
    case 'file_storage':
      return removeShare(rights, id, within('share', shareSeconds));
    case 'share_network':
      await nullIfNotFound(sharedFileSystem.shareNetworks.remove(id));
      return;
    case 'security_service':
      await nullIfNotFound(sharedFileSystem.securityServices.remove(id));
      return;
    case 'backup':
      return removeBackup(
        rights,
        id,
        removalOptions(context, 'backup', volumeSeconds * factor, backupSeconds),
      );
    case 'snapshot':
      return removeSnapshot(blockStorage.snapshots, id, {
        ...within('volume', volumeSeconds),
        describe: 'The snapshot',
      });
    case 'volume':
      return removeVolume(rights, id, within('volume', volumeSeconds));
    case 'floating_ip':
      return removeFloatingIp(client, id);
    case 'router':
      return removeRouter(client, id);
    case 'port':
      return removePort(client, id);
    case 'network':
      await nullIfNotFound(network.networks.remove(id));
      return;
    case 'security_group':
      return removeSecurityGroup(client, id);
  }
}

interface Snapshots {
  get(id: string): Promise<{ status: string; created_at: string }>;
  remove(id: string): Promise<void>;
  forceDelete(id: string): Promise<void>;
}

/** The services refuse to delete what is being deleted, and an ordinary delete of what is stuck. */
async function removeSnapshot(
  snapshots: Snapshots,
  id: string,
  options: RemovalOptions & { describe: string },
): Promise<void> {
  const found = await nullIfNotFound(snapshots.get(id));
  if (found === null) return;
  if (found.status !== 'deleting') {
    await nullIfNotFound(isStuck(found, options) ? snapshots.forceDelete(id) : snapshots.remove(id));
  }
  await waitForGone(
    () => snapshots.get(id),
    ({ status }) => status,
    { ...options, failedStates: ['error_deleting'] },
  );
}

async function beginClusterRemoval(
  clusters: ProjectClient['containerInfra']['clusters'],
  id: string,
): Promise<void> {
  const found = await nullIfNotFound(clusters.get(id));
  if (found !== null && found.status !== 'DELETE_IN_PROGRESS') await nullIfNotFound(clusters.remove(id));
}

/** The service refuses an ordinary deletion of a stuck one. Its list shows it also while the host is down. */
async function removeContainer(
  { container: { containers } }: ProjectClient,
  id: string,
  options: RemovalOptions,
): Promise<void> {
  try {
    await nullIfNotFound(containers.removeOfAny(id));
  } catch (error) {
    const found = isConflict(error)
      ? (await containers.listOfAll()).find(({ uuid }) => uuid === id)
      : undefined;
    if (found === undefined) throw error;
    const { created_at, status } = found;
    const record = { status: status.toLowerCase(), created_at: created_at ?? '' };
    if (!FORCED.includes(status) && !isStuck(record, options)) throw error;
    await nullIfNotFound(containers.forceRemoveOfAny(id));
  }
}

const FORCED = ['Unknown', 'Restarting', 'Rebuilding', 'Deleting'];

/** The router itself removes its gateway. */
async function removeRouter({ network }: ProjectClient, id: string): Promise<void> {
  for (const port of await network.ports.list({ device_id: id })) {
    // The service itself refuses a port that is no interface of the router.
    if (port.device_owner !== null && !INTERFACE.test(port.device_owner)) continue;
    await nullIfNotFound(network.routers.removeInterface(id, { port_id: port.id }));
  }
  await nullIfNotFound(network.routers.remove(id));
}

const INTERFACE = /^network:(router_interface|ha_router_replicated_interface|router_interface_distributed)$/;
