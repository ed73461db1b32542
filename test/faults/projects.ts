import { CloudClient } from '../support/cloud-client.ts';
import type { TestLogin } from '../support/test-stack.ts';
import { testLogin } from '../support/test-stack.ts';

const ENOUGH = 1_000;

/** Projects of the demo user, each with a network and room; every other one with a router to the outside. */
export async function prepareProjects(identityUrl: string, count: number): Promise<TestLogin[]> {
  const admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
  const [userId, roleId, externalId] = await Promise.all([
    onlyId(admin.call('identity', 'GET', '/users?name=demo')),
    onlyId(admin.call('identity', 'GET', '/roles?name=member')),
    onlyId(admin.call('network', 'GET', '/v2.0/networks?router:external=true')),
  ]);
  const logins: TestLogin[] = [];
  for (let number = 1; number <= count; number += 1) {
    const login = { ...testLogin('demo'), projectName: `soak-${number}` };
    const { project } = await admin.call<{ project: { id: string } }>('identity', 'POST', '/projects', {
      project: { name: login.projectName, domain_id: 'default' },
    });
    await admin.call('identity', 'PUT', `/projects/${project.id}/users/${userId}/roles/${roleId}`);
    await admin.call('compute', 'PUT', `/os-quota-sets/${project.id}`, {
      quota_set: { instances: ENOUGH, cores: ENOUGH, ram: ENOUGH * ENOUGH },
    });
    await admin.call('volumev3', 'PUT', `/os-quota-sets/${project.id}`, {
      quota_set: { volumes: ENOUGH, gigabytes: ENOUGH * ENOUGH },
    });
    const own = await CloudClient.logIn(identityUrl, login);
    await prepareNetwork(own, number % 2 === 0 ? externalId : null);
    logins.push(login);
  }
  return logins;
}

async function prepareNetwork(cloud: CloudClient, externalId: string | null): Promise<void> {
  const { network } = await cloud.call<{ network: { id: string } }>('network', 'POST', '/v2.0/networks', {
    network: { name: 'soak' },
  });
  const { subnet } = await cloud.call<{ subnet: { id: string } }>('network', 'POST', '/v2.0/subnets', {
    subnet: { network_id: network.id, cidr: '10.20.0.0/24', ip_version: 4 },
  });
  // The first look at them makes the default one.
  await cloud.call('network', 'GET', '/v2.0/security-groups');
  if (externalId === null) return;
  const { router } = await cloud.call<{ router: { id: string } }>('network', 'POST', '/v2.0/routers', {
    router: { external_gateway_info: { network_id: externalId } },
  });
  await cloud.call('network', 'PUT', `/v2.0/routers/${router.id}/add_router_interface`, {
    subnet_id: subnet.id,
  });
}

/** Of a list's answer. */
async function onlyId(answer: Promise<Record<string, { id: string }[]>>): Promise<string> {
  const [record] = Object.values(await answer)[0] ?? [];
  if (record === undefined) throw new Error('The simulated cloud lacks what the soak is prepared from.');
  return record.id;
}
