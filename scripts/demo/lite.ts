import type { Login } from '../try-it.ts';
import { DemoClient, type Print, type Progress } from './client.ts';
import { demoName } from './instance.ts';

const AGENTS = 2;

/**
 * Creates a lite cluster, checks its health, removes a worker and deletes the cluster.
 * @throws when a call or the creation fails, with the reason from the gateway.
 */
export async function demonstrateCluster(url: string, login: Login, print: Print): Promise<void> {
  const client = await DemoClient.logIn(url, login, print);
  const name = demoName();
  print(`Creating the cluster ${name} in project ${client.projectName} with ${AGENTS} workers`);
  const { cluster_id } = await client.follow<Progress & { cluster_id: string }>(
    '/api/lite/clusters/async',
    { name, agent_count: AGENTS },
    'completed',
  );
  const path = `/api/lite/clusters/${cluster_id}`;
  await client.show(path);
  await client.show(`${path}/health/check`, { method: 'POST' });
  await client.show(`${path}/scale`, { method: 'PATCH', body: { agent_count: 1 } });
  await client.call(path, { method: 'DELETE' });
  print(`\nDELETE ${path}`);
  await client.show(path);
}
