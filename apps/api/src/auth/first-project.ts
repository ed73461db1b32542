import { GatewayError } from '@gateway/core';
import { type CallContext, type Identity, type Openstack, UpstreamError } from '@gateway/openstack';

/** How many projects are tried. Each costs a call, and a log-in has to end. */
const MAX_TRIED = 20;

/**
 * Exchanges a token without a project for one of the user's first enabled project by name that the identity
 * service gives a token for. It lists the projects of a disabled domain as enabled, and refuses them.
 * @throws `no_project`
 */
export async function inFirstProject(
  openstack: Openstack,
  unscoped: Identity,
  call: CallContext,
): Promise<Identity> {
  const projects = await openstack.as(unscoped, call).identity.projects.listMine();
  const sorted = projects
    .filter(({ enabled }) => enabled)
    .sort((a, b) => compare(a.name, b.name) || compare(a.domain_id, b.domain_id));
  let refusal: UpstreamError | undefined;
  for (const { id } of sorted.slice(0, MAX_TRIED)) {
    try {
      return await openstack.identity.rescope(unscoped.token, id, call);
    } catch (error) {
      if (!isOfProject(error)) throw error;
      refusal = error;
    }
  }
  throw new GatewayError(403, 'no_project', 'This user has no project to work in.', { cause: refusal });
}

/** Whether the service refuses the project, and not the token, which it does with other statuses. */
function isOfProject(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.status === 403 && error.upstreamStatus === 401;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
