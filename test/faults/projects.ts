import { CloudClient } from '../support/clients/cloud-client.ts';
import { createNetwork, createProject, externalNetworkId } from '../support/projects/prepared-project.ts';
import type { TestLogin } from '../support/stacks/test-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

const HIGH_LIMIT = 1_000;

/** Projects of the demo user with a network and high quotas; every second project has an external router. */
export async function prepareProjects(identityUrl: string, count: number): Promise<TestLogin[]> {
  const admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
  const externalId = await externalNetworkId(admin);
  const logins: TestLogin[] = [];
  for (let number = 1; number <= count; number += 1) {
    const login = { ...testLogin('demo'), projectName: `soak-${number}` };
    const projectId = await createProject(admin, login);
    await admin.call('compute', 'PUT', `/os-quota-sets/${projectId}`, {
      quota_set: { instances: HIGH_LIMIT, cores: HIGH_LIMIT, ram: HIGH_LIMIT * HIGH_LIMIT },
    });
    await admin.call('volumev3', 'PUT', `/os-quota-sets/${projectId}`, {
      quota_set: { volumes: HIGH_LIMIT, gigabytes: HIGH_LIMIT * HIGH_LIMIT },
    });
    const own = await CloudClient.logIn(identityUrl, login);
    await createNetwork(own, number % 2 === 0 ? externalId : null);
    logins.push(login);
  }
  return logins;
}
