import { randomUUID } from 'node:crypto';
import { CloudClient } from '../clients/cloud-client.ts';
import { type TestLogin, testLogin } from '../stacks/test-stack.ts';
import type { Prepared } from './prepared-cloud.ts';

/** A separate project of the demo user, whose quotas a test may change. */
export interface PreparedProject extends Prepared {
  login: TestLogin;
  cloud: CloudClient;
  networkId: string;
}

/** Creates a project with a network, a subnet, and a router to the external network. */
export async function prepareProject(identityUrl: string, admin: CloudClient): Promise<PreparedProject> {
  const login = { ...testLogin('demo'), projectName: `e2e-${randomUUID()}` };
  const id = await createProject(admin, login);
  const cloud = await CloudClient.logIn(identityUrl, login);
  const network = await createNetwork(cloud, await externalNetworkId(admin));
  return {
    id,
    login,
    cloud,
    networkId: network.id,
    async remove() {
      await network.remove();
      await admin.call('identity', 'DELETE', `/projects/${id}`);
    },
  };
}

/** Creates a project with the user as a member, and returns its id. */
export async function createProject(admin: CloudClient, login: TestLogin): Promise<string> {
  const [userId, roleId] = await Promise.all([
    firstId(admin.call('identity', 'GET', `/users?name=${login.username}`)),
    firstId(admin.call('identity', 'GET', '/roles?name=member')),
  ]);
  const { project } = await admin.call<{ project: { id: string } }>('identity', 'POST', '/projects', {
    project: { name: login.projectName, domain_id: 'default' },
  });
  await admin.call('identity', 'PUT', `/projects/${project.id}/users/${userId}/roles/${roleId}`);
  return project.id;
}

export function externalNetworkId(cloud: CloudClient): Promise<string> {
  return firstId(cloud.call('network', 'GET', '/v2.0/networks?router:external=true'));
}

/** Creates a network with a subnet, and a router when there is an external network. */
export async function createNetwork(cloud: CloudClient, externalId: string | null): Promise<Prepared> {
  const { network } = await cloud.call<{ network: { id: string } }>('network', 'POST', '/v2.0/networks', {
    network: { name: 'prepared' },
  });
  const { subnet } = await cloud.call<{ subnet: { id: string } }>('network', 'POST', '/v2.0/subnets', {
    subnet: { network_id: network.id, cidr: '10.77.0.0/24', ip_version: 4 },
  });
  // The first list creates the default security group.
  await cloud.call('network', 'GET', '/v2.0/security-groups');
  const removeRouter = externalId === null ? null : await createRouter(cloud, subnet.id, externalId);
  return {
    id: network.id,
    async remove() {
      await removeRouter?.();
      await cloud.call('network', 'DELETE', `/v2.0/networks/${network.id}`);
    },
  };
}

async function createRouter(
  cloud: CloudClient,
  subnetId: string,
  externalId: string,
): Promise<() => Promise<void>> {
  const { router } = await cloud.call<{ router: { id: string } }>('network', 'POST', '/v2.0/routers', {
    router: { external_gateway_info: { network_id: externalId } },
  });
  const path = `/v2.0/routers/${router.id}`;
  await cloud.call('network', 'PUT', `${path}/add_router_interface`, { subnet_id: subnetId });
  return async () => {
    await cloud.call('network', 'PUT', `${path}/remove_router_interface`, { subnet_id: subnetId });
    await cloud.call('network', 'DELETE', path);
  };
}

/** The id of the first record of a list. */
async function firstId(answer: Promise<Record<string, unknown>>): Promise<string> {
  const rows = Object.values(await answer).find((value) => Array.isArray(value)) as { id: string }[];
  const [record] = rows;
  if (record === undefined) throw new Error('The cloud lacks what the project is prepared from.');
  return record.id;
}
