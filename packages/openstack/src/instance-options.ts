import { conflict, invalidInput } from '@gateway/core';
import type { ServerGroups } from './compute/server-groups.ts';
import { readRequested, requestedNotFound } from './errors/index.ts';
import {
  isVisibleTo,
  type Networks,
  networkProblem,
  type Ports,
  type SecurityGroups,
} from './network/index.ts';

/** A network interface of a new server: a new port on the network, or an existing port on it. */
interface RequestedNic {
  networkId: string | null;
  portId: string | null;
}

/** What a request for an instance names beside what each instance has. */
export interface InstanceOptions {
  /** Empty for one port on the chosen network. */
  nics: readonly RequestedNic[];
  securityGroupIds: readonly string[];
  serverGroupId: string | null;
}

export interface PlannedNic {
  networkId: string;
  /** Null for a new port. */
  portId: string | null;
}

interface OptionReaders {
  readonly compute: { readonly serverGroups: Pick<ServerGroups, 'get'> };
  readonly network: {
    readonly networks: Pick<Networks, 'listByIds'>;
    readonly ports: Pick<Ports, 'listByIds'>;
    readonly securityGroups: Pick<SecurityGroups, 'listByIds'>;
  };
}

/**
 * Checks that the project can use what the request names. The number of calls does not grow with the number
 * of interfaces.
 *
 * @throws 400 for what is not there, or takes no servers; 409 for a port that is in use
 */
export async function checkInstanceOptions(
  client: OptionReaders,
  projectId: string,
  { nics, securityGroupIds, serverGroupId }: InstanceOptions,
): Promise<PlannedNic[]> {
  const [planned] = await Promise.all([
    planNics(client, projectId, nics),
    securityGroupIds.length === 0 ? null : checkSecurityGroups(client, projectId, securityGroupIds),
    serverGroupId === null ? null : checkServerGroup(client, projectId, serverGroupId),
  ]);
  return planned;
}

async function planNics(
  { network }: OptionReaders,
  projectId: string,
  nics: readonly RequestedNic[],
): Promise<PlannedNic[]> {
  const portIds = nics.flatMap(({ portId }) => portId ?? []);
  const networkIds = nics.flatMap(({ networkId }) => networkId ?? []);
  const [ports, networks] = await Promise.all([
    portIds.length === 0 ? [] : network.ports.listByIds(portIds),
    networkIds.length === 0 ? [] : network.networks.listByIds(networkIds),
  ]);
  return nics.map(({ networkId, portId }) => {
    if (portId === null) {
      const found = networks.find(({ id }) => id === networkId);
      if (found === undefined || !isVisibleTo(found, projectId))
        throw requestedNotFound('networks', `Network ${networkId}`);
      const problem = networkProblem(found);
      if (problem !== null) throw invalidNic(problem.detail, problem.message);
      return { networkId: found.id, portId: null };
    }
    const port = ports.find(({ id, project_id }) => id === portId && project_id === projectId);
    if (port === undefined) throw requestedNotFound('networks', `Port ${portId}`);
    if (port.device_id !== '') throw conflict('in_use', `Port ${portId} is already in use.`);
    if (port.fixed_ips.length === 0)
      throw invalidNic(`Port ${portId} has no address.`, 'must have ports with an address');
    return { networkId: port.network_id, portId: port.id };
  });
}

function invalidNic(detail: string, message: string) {
  return invalidInput(detail, { errors: [{ field: 'body.networks', message }] });
}

async function checkSecurityGroups(
  { network }: OptionReaders,
  projectId: string,
  ids: readonly string[],
): Promise<void> {
  const found = await network.securityGroups.listByIds(ids);
  const usable = found.filter(({ project_id, shared }) => project_id === projectId || shared === true);
  const missing = ids.find((id) => usable.every((group) => group.id !== id));
  if (missing !== undefined) throw requestedNotFound('security_group_ids', `Security group ${missing}`);
}

async function checkServerGroup({ compute }: OptionReaders, projectId: string, id: string): Promise<void> {
  const group = await readRequested(compute.serverGroups.get(id), 'server_group_id', `Server group ${id}`);
  if (group.project_id !== projectId) throw requestedNotFound('server_group_id', `Server group ${id}`);
}
