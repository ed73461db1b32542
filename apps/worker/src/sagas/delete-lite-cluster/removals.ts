import {
  againIfStale,
  type OwnUse,
  releaseFloatingIp,
  releasePort,
  removeLoadBalancer,
  removeSecurityGroup,
  removeServer,
  removeVolume,
} from '@gateway/inventory';
import { type BoundClient, nullIfNotFound } from '@gateway/openstack';
import { removeCredential } from '../lite-clusters/credentials.ts';
import type { Removal } from '../resources/remove-all.ts';
import { removalOptions } from '../resources/wait-options.ts';
import type { DeleteLiteClusterStepContext, LiteClusterResources, ServiceLoadBalancer } from './saga.ts';

/** The floating IPs come first: without their port they cannot be distinguished from others. */
export function loadBalancerRemovals(
  context: DeleteLiteClusterStepContext,
  balancers: readonly ServiceLoadBalancer[],
): Removal[][] {
  const { loadBalancerSeconds, undoSeconds } = context.config.timeLimits;
  const wait = removalOptions(context, 'load_balancer', Math.max(loadBalancerSeconds, undoSeconds));
  return [
    balancers.flatMap(({ id: balancerId, floatingIpIds, keptFloatingIpIds, portId }) => [
      ...floatingIpIds.map((id) =>
        floatingIp(context, id, { deviceIds: [balancerId], portIds: portId === null ? [] : [portId] }),
      ),
      ...keptFloatingIpIds.map((id) => ({
        type: 'floating_ip',
        id,
        remove: () => disassociate(context.remover(), id, portId),
      })),
    ]),
    balancers.map(({ id }) => ({
      type: 'load_balancer',
      id,
      remove: () => removeLoadBalancer(context.remover(), id, wait),
    })),
  ];
}

export function serverRemovals(
  context: DeleteLiteClusterStepContext,
  { agentVmIds, serverVmIds }: LiteClusterResources,
): Removal[][] {
  const wait = removalOptions(context, 'server', context.config.timeLimits.serverSeconds);
  const removal = (id: string): Removal => ({
    type: 'server',
    id,
    remove: () => removeServer(context.remover(), id, wait),
  });
  return [agentVmIds.map(removal), serverVmIds.map(removal)];
}

export function resourceRemovals(
  context: DeleteLiteClusterStepContext,
  resources: LiteClusterResources,
): Removal[][] {
  const { credentials, floatingIpIds, keyIds, portIds, securityGroupIds, volumeIds } = resources;
  const servers = { deviceIds: [...resources.agentVmIds, ...resources.serverVmIds] };
  const wait = removalOptions(context, 'volume', context.config.timeLimits.volumeSeconds);
  return [
    volumeIds.map((id) => ({ type: 'volume', id, remove: () => removeVolume(context, id, wait, {}) })),
    floatingIpIds.map((id) => floatingIp(context, id, { ...servers, portIds })),
    portIds.map((id) => ({
      type: 'port',
      id,
      remove: () => releasePort(context.remover(), id, servers),
    })),
    securityGroupIds.map((id) => ({
      type: 'security_group',
      id,
      remove: () => removeSecurityGroup(context.remover(), id),
    })),
    credentials.map((credential) => ({
      type: 'application_credential',
      id: credential.id,
      remove: () => removeCredential(context, credential),
    })),
    keyIds.map((id) => ({
      type: 'secret',
      id,
      remove: async () => void (await nullIfNotFound(context.ownerRemover().keyManager.secrets.remove(id))),
    })),
  ];
}

function floatingIp({ remover }: DeleteLiteClusterStepContext, id: string, own: OwnUse): Removal {
  return { type: 'floating_ip', id, remove: () => releaseFloatingIp(remover(), id, own) };
}

/** Disassociates a floating IP from a port. Does nothing if the floating IP has another port by now. */
async function disassociate({ network }: BoundClient, id: string, portId: string | null): Promise<void> {
  await againIfStale(async () => {
    const address = await nullIfNotFound(network.floatingIps.get(id));
    if (address === null || address.port_id === null || address.port_id !== portId) return;
    await nullIfNotFound(network.floatingIps.update(id, { port_id: null }, address.revision_number));
  });
}
