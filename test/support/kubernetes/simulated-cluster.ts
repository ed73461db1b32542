import { startCloudsim } from '../../../apps/cloudsim/src/server.ts';
import { NODES, type TestCluster } from './test-cluster.ts';

interface SimulatedCluster extends TestCluster {
  /** Lets the next of each of these requests fail, such as `GET /api/v1/nodes`. */
  failOnce(requests: string[]): Promise<void>;
}

/** A cluster of the simulated cloud, which is broken through the control API. */
export async function simulatedCluster(): Promise<SimulatedCluster> {
  const cloudsim = await startCloudsim();
  const { kubernetesClusters } = cloudsim.cloud;
  const id = 'conformance';
  const [name, ...agents] = NODES;
  const { nodeToken } = await kubernetesClusters.create({
    id,
    version: 'v1.36.1+k3s1',
    controlNode: { name, address: '10.0.0.10' },
  });
  for (const agent of agents) kubernetesClusters.join(nodeToken, { name: agent, address: '10.0.0.11' });
  const cluster = kubernetesClusters.get(id);
  if (cluster === undefined) throw new Error('The simulated cloud has no such cluster.');
  const change = async (body: object) => {
    const response = await fetch(`${cloudsim.url}/_control/kubernetes/${id}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  };
  return {
    server: `https://${cluster.address}:${cluster.port}`,
    admin: {
      ca: cluster.serverAuthority.certificate,
      clientCertificate: cluster.admin.certificate,
      clientKey: cluster.admin.key,
    },
    tokenWithoutRights: cluster.tokens.withoutRights,
    nodes: NODES,
    setReady: (node, ready) => change({ nodes: { [node]: { ready } } }),
    kill: () => change({ api: 'down' }),
    pause: () => change({ api: 'hanging' }),
    failOnce: (failures) => change({ failures }),
    pauseStore: () => change({ isHealthy: false }),
    resume: () => change({ api: 'up', isHealthy: true }),
    close: () => cloudsim.close(),
  };
}
