import { CloudClient } from '../support/cloud-client.ts';
import { externalNetworkId, makeNetwork, makeProject } from '../support/prepared-project.ts';
import type { TestLogin } from '../support/test-stack.ts';
import { testLogin } from '../support/test-stack.ts';

const ENOUGH = 1_000;

/** Projects of the demo user, each with a network and room; every other one with a router to the outside. */
export async function prepareProjects(identityUrl: string, count: number): Promise<TestLogin[]> {
  const admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
  const externalId = await externalNetworkId(admin);
  const logins: TestLogin[] = [];
  for (let number = 1; number <= count; number += 1) {
    const login = { ...testLogin('demo'), projectName: `soak-${number}` };
    const projectId = await makeProject(admin, login);
    await admin.call('compute', 'PUT', `/os-quota-sets/${projectId}`, {
      quota_set: { instances: ENOUGH, cores: ENOUGH, ram: ENOUGH * ENOUGH },
    });
    await admin.call('volumev3', 'PUT', `/os-quota-sets/${projectId}`, {
      quota_set: { volumes: ENOUGH, gigabytes: ENOUGH * ENOUGH },
    });
    const own = await CloudClient.logIn(identityUrl, login);
    await makeNetwork(own, number % 2 === 0 ? externalId : null);
    logins.push(login);
  }
  return logins;
}
