import { newUuid } from '../common/ids.ts';
import { envelope, isObject, type Json, type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, notFound } from '../common/service-error.ts';
import { noContent, type Operation, ok, operation, type Reply } from '../http/operation.ts';
import { owns } from '../http/policy.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { malformed } from './requests.ts';
import type { ComputeState, Host, Server, ServerGroup } from './state.ts';

const POLICIES = ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'];

function findGroup({ caller, cloud, params }: ComputeCall): ServerGroup {
  const group = cloud.compute.serverGroups.get(params.id ?? '');
  if (group === undefined || !owns(caller, group.projectId))
    throw notFound(`Instance group ${params.id} could not be found.`);
  return group;
}

function present({ cloud }: ComputeCall, group: ServerGroup): object {
  const { id, name, policy, projectId, userId } = group;
  const members = membersOf(cloud.compute, id).map((server) => server.id);
  return { id, name, policy, rules: {}, members, project_id: projectId, user_id: userId };
}

function membersOf({ servers }: ComputeState, groupId: string): Server[] {
  return [...servers.values()].filter((server) => server.groupId === groupId);
}

function list(call: ComputeCall): Reply {
  const own = [...call.cloud.compute.serverGroups.values()].filter(
    ({ projectId }) => projectId === call.caller.projectId,
  );
  return ok({ server_groups: own.map((group) => present(call, group)) });
}

function create(call: ComputeCall): Reply {
  const { caller, cloud } = call;
  const input = envelope(call.body, 'server_group', malformed);
  const name = stringAt(input, 'name');
  const policy = stringAt(input, 'policy') ?? '';
  if (name === undefined || !POLICIES.includes(policy))
    throw badRequest(`Invalid input for field/attribute server_group. Value: ${policy}.`);
  const group = { id: newUuid(), name, policy, projectId: caller.projectId, userId: caller.userId };
  cloud.compute.serverGroups.set(group.id, group);
  return ok({ server_group: present(call, group) });
}

function remove(call: ComputeCall): Reply {
  call.cloud.compute.serverGroups.delete(findGroup(call).id);
  return noContent();
}

/** The group in the scheduler's hints of a creation; null for none. */
export function hintedGroup(cloud: ComputeCloud, projectId: string, hints: Json | undefined): string | null {
  const id = isObject(hints) ? stringAt(hints as JsonObject, 'group') : undefined;
  if (id === undefined) return null;
  const group = cloud.compute.serverGroups.get(id);
  if (group?.projectId !== projectId) throw badRequest(`Instance group ${id} could not be found.`);
  return id;
}

/** Whether the policy of the server's group allows a host. The soft policies allow all. */
export function groupAllows(compute: ComputeState, host: Host, server: Server): boolean {
  const group = compute.serverGroups.get(server.groupId ?? '');
  if (group === undefined) return true;
  const hosts = membersOf(compute, group.id).flatMap((other) =>
    other.id !== server.id && other.host !== null ? other.host : [],
  );
  if (group.policy === 'anti-affinity') return !hosts.includes(host.name);
  return group.policy !== 'affinity' || hosts.every((name) => name === host.name);
}

export const serverGroupOperations: Operation<ComputeCloud>[] = [
  operation('server_groups.list', 'GET /os-server-groups', list),
  operation('server_groups.create', 'POST /os-server-groups', create),
  operation('server_groups.get', 'GET /os-server-groups/:id', (call) =>
    ok({ server_group: present(call, findGroup(call)) }),
  ),
  operation('server_groups.delete', 'DELETE /os-server-groups/:id', remove),
];
