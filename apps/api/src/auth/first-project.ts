import { GatewayError } from '@gateway/core';
import type { CallContext, Identity, Openstack } from '@gateway/openstack';

/**
 * Exchanges a token without a project for one of the user's first enabled project by name.
 * @throws `no_project`
 */
export async function inFirstProject(
  openstack: Openstack,
  unscoped: Identity,
  call: CallContext,
): Promise<Identity> {
  const projects = await openstack.as(unscoped, call).identity.projects.listMine();
  const [first] = projects
    .filter(({ enabled }) => enabled)
    .sort((a, b) => compare(a.name, b.name) || compare(a.domain_id, b.domain_id));
  if (first === undefined) {
    throw new GatewayError(403, 'no_project', 'This user has no project to work in.');
  }
  return openstack.identity.rescope(unscoped.token, first.id, call);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
