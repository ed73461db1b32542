import express, { type Request, type Response, type Router } from 'express';
import { type Cloud, resetCloud } from '../cloud/cloud.ts';
import { changeSettings, type Settings, type SettingsChange } from '../cloud/settings.ts';
import { addHost } from '../compute/add-host.ts';
import type { FaultSpec } from '../http/faults.ts';
import { holdsRouter } from './holds.ts';
import { kubernetesRouter } from './kubernetes.ts';
import { inventoryByProject } from './state.ts';

/**
 * The control API for tests, without authentication: faults, holds, latency, recorded calls, settings, reset,
 * more compute hosts, an inventory of resources, the Kubernetes clusters in servers, and the first-boot data
 * of servers. A reset restores `initialSettings` and clears the stored state.
 */
export function controlRouter(
  cloud: Cloud,
  initialSettings: () => Settings,
  clearStored: () => Promise<void> | undefined,
): Router {
  const router = express.Router();
  router.use(express.json({ type: () => true, strict: false }));
  router
    .route('/faults')
    .get((_req, res) => res.json({ faults: cloud.faults.list() }))
    .post((req, res) => addFault(cloud, req, res))
    .delete((_req, res) => {
      cloud.faults.clear();
      res.status(204).end();
    });
  router.use('/holds', holdsRouter(cloud));
  router.post('/latency', (req, res) => setLatency(cloud, req, res));
  router
    .route('/calls')
    .get((req, res) => listCalls(cloud, req, res))
    .delete((_req, res) => {
      cloud.calls.clear();
      res.status(204).end();
    });
  router.post('/reset', async (_req, res) => {
    resetCloud(cloud, initialSettings());
    await clearStored();
    res.status(204).end();
  });
  router
    .route('/settings')
    .get((_req, res) => res.json(presentSettings(cloud.settings)))
    .post((req, res) => postSettings(cloud, req, res));
  router.post('/compute-hosts', (req, res) => {
    addHost(cloud.compute, String(req.body.name));
    res.status(204).end();
  });
  router.get('/state', (_req, res) => res.json(inventoryByProject(cloud)));
  router.use('/kubernetes', kubernetesRouter(cloud));
  router.get('/servers/:id/user-data', (req, res) => readUserData(cloud, req, res));
  return router;
}

function addFault(cloud: Cloud, req: Request, res: Response): void {
  try {
    res.status(201).json({ id: cloud.faults.add((req.body ?? {}) as FaultSpec) });
  } catch (error) {
    res.status(400).json({ error: String(error) });
  }
}

function setLatency(cloud: Cloud, req: Request, res: Response): void {
  const { service, ms } = (req.body ?? {}) as { service?: string; ms?: number };
  if (service === undefined || typeof ms !== 'number') {
    res.status(400).json({ error: 'service and ms are required' });
    return;
  }
  cloud.settings.latencyMs.set(service, ms);
  res.status(204).end();
}

function listCalls(cloud: Cloud, req: Request, res: Response): void {
  const query = new URL(req.url, 'http://localhost').searchParams;
  const filter = {
    service: query.get('service'),
    operation: query.get('operation'),
    requestId: query.get('request_id'),
  };
  res.json({ calls: cloud.calls.list(filter) });
}

function postSettings({ settings }: Cloud, req: Request, res: Response): void {
  try {
    changeSettings(settings, (req.body ?? {}) as SettingsChange);
  } catch (error) {
    res.status(400).json({ error: String(error) });
    return;
  }
  res.json(presentSettings(settings));
}

/** The user data of the server in base64, as sent to the compute service. */
function readUserData(cloud: Cloud, req: Request, res: Response): void {
  const userData = cloud.compute.servers.get(String(req.params.id))?.userData ?? null;
  if (userData === null) res.status(404).json({ error: 'there is no such server, or none with user data' });
  else res.type('text/plain').send(userData);
}

function presentSettings({ latencyMs, ...settings }: Settings): object {
  return { ...settings, latencyMs: Object.fromEntries(latencyMs) };
}
