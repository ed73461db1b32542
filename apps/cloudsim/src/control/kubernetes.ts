import express, { type Request, type Response, type Router } from 'express';
import type { Cloud } from '../cloud/cloud.ts';
import type { ApiBehaviour } from '../guest/kubernetes/api-server.ts';
import type { KubernetesCluster } from '../guest/kubernetes/state.ts';

export interface ClusterChange extends Partial<ApiBehaviour> {
  /** Whether nodes are ready, by name. */
  nodes?: Record<string, { ready: boolean }>;
}

const MODES = ['up', 'down', 'hanging'];

/**
 * The Kubernetes clusters in servers, by id, with their latest requests. `POST /:id` changes how a cluster
 * behaves: `{"api": "up" | "down" | "hanging"}`, `{"isHealthy": false}`,
 * `{"failures": ["DELETE /api/v1/nodes/a-agent-1"]}`, `{"nodes": {"a-agent-1": {"ready": false}}}`.
 */
export function kubernetesRouter(cloud: Cloud): Router {
  const router = express.Router();
  router.get('/', (_req, res) =>
    res.json({ clusters: cloud.kubernetesClusters.list().map((cluster) => present(cloud, cluster)) }),
  );
  router
    .route('/:id')
    .get((req, res) => {
      const cluster = clusterOf(cloud, req, res);
      if (cluster !== undefined) res.json(present(cloud, cluster));
    })
    .post((req, res) => changeCluster(cloud, req, res));
  return router;
}

async function changeCluster(cloud: Cloud, req: Request, res: Response): Promise<void> {
  const cluster = clusterOf(cloud, req, res);
  if (cluster === undefined) return;
  const { nodes = {}, api, isHealthy, failures } = (req.body ?? {}) as ClusterChange;
  if (api !== undefined && !MODES.includes(api)) {
    res.status(400).json({ error: `api is one of ${MODES.join(', ')}` });
    return;
  }
  for (const [name, { ready }] of Object.entries(nodes)) {
    if (cloud.kubernetesClusters.setNodeReady(cluster.id, name, ready)) continue;
    res.status(404).json({ error: `there is no node ${name}` });
    return;
  }
  await cloud.kubernetesClusters.behave(cluster.id, {
    ...(api !== undefined && { api }),
    ...(isHealthy !== undefined && { isHealthy }),
    ...(failures !== undefined && { failures }),
  });
  res.json(present(cloud, cluster));
}

function clusterOf(cloud: Cloud, req: Request, res: Response): KubernetesCluster | undefined {
  const cluster = cloud.kubernetesClusters.get(String(req.params.id));
  if (cluster === undefined) res.status(404).json({ error: 'there is no such cluster' });
  return cluster;
}

function present(cloud: Cloud, { id, address, port, version, objects }: KubernetesCluster): object {
  const server = cloud.kubernetesClusters.serverOf(id);
  return {
    id,
    address,
    port,
    version,
    is_running: server !== undefined,
    ...server?.behaviour,
    objects: [...objects.keys()].sort(),
    requests: server?.requests ?? [],
  };
}
