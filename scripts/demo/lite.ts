import type { Login } from '../try-it.ts';
import { logIn, type Print, printProgress, printRecord } from './client.ts';
import { demoName } from './instance.ts';

const AGENTS = 2;

/**
 * Creates a lite cluster, checks its health, removes an agent and deletes the cluster.
 * @throws when a call or the creation fails, with the reason from the gateway
 */
export async function demonstrateCluster(url: string, login: Login, print: Print): Promise<void> {
  const { gateway, projectName } = await logIn(url, login, print);
  const name = demoName();
  print(`Creating the cluster ${name} in project ${projectName} with ${AGENTS} agents`);
  const creation = gateway.createLiteCluster({ name, agent_count: AGENTS });
  const { cluster_id } = await printProgress(creation, print);
  const path = { cluster_id };
  const address = `/api/lite/clusters/${cluster_id}`;

  const show = async (): Promise<void> => {
    const cluster = await gateway.request('GET /api/lite/clusters/{cluster_id}', { path });
    printRecord(`GET ${address}`, cluster, print);
  };
  await show();
  const health = await gateway.request('POST /api/lite/clusters/{cluster_id}/health/check', { path });
  printRecord(`POST ${address}/health/check`, health, print);
  const body = { agent_count: 1 };
  const scaled = await gateway.request('PATCH /api/lite/clusters/{cluster_id}/scale', { path, body });
  printRecord(`PATCH ${address}/scale`, scaled, print);
  await gateway.request('DELETE /api/lite/clusters/{cluster_id}', { path });
  print(`\nDELETE ${address}`);
  await show();
}
