import { GatewayError, unauthorized } from '@gateway/core';
import { type CallContext, type Identity, type Openstack, PASSWORD_EXPIRED } from '@gateway/openstack';

interface LogIn {
  username: string;
  password: string;
  domainName: string;
  /** Undefined for the user's default project, or else their first enabled project by name. */
  projectName: string | undefined;
}

/** The identity service refuses the credentials, or something that they name. */
const REFUSALS = [401, 403, 404];

/**
 * Gets a token for a user name and password. All wrong credentials give the same error, which must not reveal
 * which users, projects or domains exist. A request that the service refuses as invalid keeps the service's
 * reason.
 */
export async function logIn(openstack: Openstack, request: LogIn, call: CallContext): Promise<Identity> {
  const { username, password, domainName, projectName } = request;
  const project = projectName === undefined ? undefined : { name: projectName, domainName };
  let identity: Identity;
  try {
    identity = await openstack.identity.authenticate({ username, password, domainName, project }, call);
  } catch (error) {
    if (error instanceof GatewayError && REFUSALS.includes(error.status) && error.code !== PASSWORD_EXPIRED) {
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
