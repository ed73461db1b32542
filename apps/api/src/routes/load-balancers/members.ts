import type { MemberRecord } from '@gateway/openstack';
import { addNames, type PoolMember, presentPoolMember, subnetNames, withNames } from '@gateway/resources';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { findPool } from './find.ts';
import type { AddMemberBody, UpdateMemberBody } from './pool-bodies.ts';
import { requireVisibleSubnet } from './require-visible-subnet.ts';
import { writeInTurn } from './write-in-turn.ts';

type Params = { lb_id: string; pool_id: string };

export async function listMembers(request: RequestContext<Params>): Promise<PoolMember[]> {
  const { openstack, params } = request;
  const { id } = await findPool(request, params.lb_id, params.pool_id);
  const members = (await openstack.loadBalancer.members.list(id)).map(presentPoolMember);
  return addNames(sourcesOf(request), members, { subnet_id: subnetNames.project });
}

export async function addMember(
  request: RequestContext<Params, unknown, AddMemberBody>,
): Promise<PoolMember> {
  const { body, openstack, params } = request;
  const { id } = await findPool(request, params.lb_id, params.pool_id);
  if (body.subnet_id !== undefined) await requireVisibleSubnet(request, 'subnet_id', body.subnet_id);
  const member = await writeInTurn(request, params.lb_id, () =>
    openstack.loadBalancer.members.create(id, body),
  );
  return present(request, member);
}

function present(request: RequestContext, member: MemberRecord): Promise<PoolMember> {
  return withNames(sourcesOf(request), presentPoolMember(member), { subnet_id: subnetNames.project });
}

export async function updateMember(
  request: RequestContext<Params & { member_id: string }, unknown, UpdateMemberBody>,
): Promise<PoolMember> {
  const { body, openstack, params } = request;
  const { members } = openstack.loadBalancer;
  const pool = await findPool(request, params.lb_id, params.pool_id);
  const member = await members.get(pool.id, params.member_id);
  if (isEmpty(body)) return present(request, member);
  const updated = await writeInTurn(request, params.lb_id, () => members.update(pool.id, member.id, body));
  return present(request, updated);
}

export async function removeMember(request: RequestContext<Params & { member_id: string }>): Promise<void> {
  const { openstack, params } = request;
  const { members } = openstack.loadBalancer;
  const pool = await findPool(request, params.lb_id, params.pool_id);
  const { id } = await members.get(pool.id, params.member_id);
  await writeInTurn(request, params.lb_id, () => members.remove(pool.id, id));
}
