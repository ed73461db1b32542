import { GatewayError, unauthorized } from '@gateway/core';
import type { CallContext, Identity, Openstack } from '@gateway/openstack';

export interface LogIn {
  username: string;
  password: string;
  domainName: string;
  /** Undefined: the user's default project, else the first enabled one by name. */
  projectName: string | undefined;
}

/**
 * A token for a user name and password. Whatever was wrong with them, the answer is the same: it must not
 * tell which users, projects or domains there are.
 */
export async function logIn(openstack: Openstack, wanted: LogIn, call: CallContext): Promise<Identity> {
  const { username, password, domainName, projectName } = wanted;
  const project = projectName === undefined ? undefined : { name: projectName, domainName };
  let identity: Identity;
  try {
    identity = await openstack.identity.authenticate({ username, password, domainName, project }, call);
  } catch (error) {
    if (error instanceof GatewayError && error.status < 500 && error.status !== 429) {
      throw unauthorized('The user name, password, domain or project is wrong.', { cause: error });
    }
    throw error;
  }
  return identity.projectId === '' ? firstProject(openstack, identity, call) : identity;
}

async function firstProject(openstack: Openstack, unscoped: Identity, call: CallContext): Promise<Identity> {
  const projects = await openstack.as(unscoped, call).identity.projects.listMine();
  const [first] = projects.filter(({ enabled }) => enabled).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (first === undefined) {
    throw new GatewayError(403, 'no_project', 'This user has no project to work in.');
  }
  return openstack.identity.rescope(unscoped.token, first.id, call);
}
