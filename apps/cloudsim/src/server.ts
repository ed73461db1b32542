import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { blockStorageService } from './block-storage/service.ts';
import { type Cloud, createCloud } from './cloud/cloud.ts';
import { resumeState, type SavedState, saveState, shapeOfState } from './cloud/saved-state.ts';
import { defaultSettings, type Settings } from './cloud/settings.ts';
import { type Clock, observedClock, systemClock } from './common/clock.ts';
import { computeService, computeVersion } from './compute/service.ts';
import { containerService } from './container/service.ts';
import { containerInfraService } from './container-infra/service.ts';
import { controlRouter } from './control/routes.ts';
import { serviceRouter } from './http/dispatch.ts';
import type { Service } from './http/service.ts';
import { identityService, identityVersion } from './identity/service.ts';
import { imageService } from './image/service.ts';
import { keyManagerService } from './key-manager/service.ts';
import { loadBalancerService } from './load-balancer/service.ts';
import { networkService } from './network/service.ts';
import { StateKeeper } from './persistence/state-keeper.ts';
import { placementService } from './placement/service.ts';
import { sharedFileSystemService } from './shared-file-system/service.ts';

export interface CloudsimOptions {
  /** 0 (the default) selects a free port. */
  port?: number;
  host?: string;
  /** The base URL in the catalog and in links; the listening address by default. */
  publicUrl?: string;
  /** The region of the endpoints in the catalog; RegionOne by default. */
  region?: string;
  /** Factor on the delays of state transitions: 1 by default, 0 for no delay. */
  delayScale?: number;
  /** The wall clock by default. */
  clock?: Clock;
  /** Whether guests may call other machines than this one; false by default. */
  guestsCallAnywhere?: boolean;
  /** The folder that keeps the state between runs. Without it every run begins with the seeded state. */
  dataDir?: string;
}

export interface Cloudsim {
  url: string;
  identityUrl: string;
  cloud: Cloud;
  close(): Promise<void>;
}

/**
 * Starts a simulated cloud: in the state of the data folder, or else in the seeded state.
 * @throws when the port is in use, or another process uses the data folder
 */
export async function startCloudsim(options: CloudsimOptions = {}): Promise<Cloudsim> {
  const host = options.host ?? '127.0.0.1';
  const initialSettings = () => defaultSettings(options.delayScale ?? 1);
  const settings = initialSettings();
  const clock = observedClock(options.clock ?? systemClock(() => settings.delayScale), () =>
    keeper?.changed(),
  );
  const cloud = createCloud({
    clock,
    settings,
    publicUrl: options.publicUrl ?? '',
    region: options.region ?? 'RegionOne',
    guestsCallAnywhere: options.guestsCallAnywhere ?? false,
    onGuestChange: () => keeper?.changed(),
  });
  const keeper =
    options.dataDir === undefined
      ? null
      : await StateKeeper.open(options.dataDir, shapeOfState(), () => saveState(cloud));
  const saved = await keeper?.load();
  const server = createServer();
  const port = await listen(server, options.port ?? 0, host).catch((error: unknown) => {
    keeper?.abandon();
    throw error;
  });
  const url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
  cloud.publicUrl = (options.publicUrl ?? url).replace(/\/$/, '');
  if (saved) resumeState(cloud, saved);
  server.on('request', application(cloud, initialSettings, keeper));
  return {
    url,
    identityUrl: `${url}/identity/v3`,
    cloud,
    close: async () => {
      cloud.faults.clear();
      cloud.holds.clear();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await keeper?.close();
      clock.cancelAll();
      cloud.guests.clear();
      cloud.kubernetesClusters.close();
    },
  };
}

function listen(server: HttpServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function application(
  cloud: Cloud,
  initialSettings: () => Settings,
  keeper: StateKeeper<SavedState> | null,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', false);
  if (keeper !== null) {
    app.use((_req, res, next) => {
      res.once('close', () => keeper.changed());
      next();
    });
  }
  app.use(
    '/_control',
    controlRouter(cloud, initialSettings, () => keeper?.clear()),
  );
  app.use(express.text({ type: () => true, limit: '8mb' }));
  versionDocuments(app, cloud);
  const services: Service<Cloud>[] = [
    computeService,
    networkService,
    loadBalancerService,
    blockStorageService,
    sharedFileSystemService,
    containerInfraService,
    containerService,
    keyManagerService,
    identityService(cloud.publicUrl),
    imageService,
    placementService,
  ];
  for (const service of services) app.use(service.prefix, serviceRouter(service, cloud));
  return app;
}

/** The version documents at the root of each service. */
function versionDocuments(app: Express, cloud: Cloud): void {
  const at = (path: string) => `${cloud.publicUrl}${path}`;
  const link = (path: string) => [{ rel: 'self', href: `${at(path)}/` }];
  const document = (path: string, status: number, body: () => object): void => {
    app.get(path, (_req, res) => {
      res.status(status).json(body());
    });
  };
  document('/', 300, () => ({ versions: { values: [identityVersion(at('/identity/v3'))] } }));
  document('/identity', 300, () => ({ versions: { values: [identityVersion(at('/identity/v3'))] } }));
  document('/compute', 200, () => ({ versions: [computeVersion(at('/compute/v2.1'))] }));
  document('/image', 300, () => ({
    versions: [{ id: 'v2.15', status: 'CURRENT', links: link('/image/v2') }],
  }));
  document('/network', 200, () => ({
    versions: [{ id: 'v2.0', status: 'CURRENT', links: link('/network/v2.0') }],
  }));
  document('/load-balancer', 200, () => ({
    versions: [{ id: 'v2.26', status: 'CURRENT', links: link('/load-balancer/v2') }],
  }));
  document('/container', 200, () => ({
    versions: [
      { id: 'v1', status: 'CURRENT', max_version: '1.40', min_version: '1.1', links: link('/container/v1') },
    ],
  }));
  const updated = { updated: '2022-08-31T00:00:00Z' };
  document('/volume', 300, () => ({
    versions: [
      {
        id: 'v3.0',
        status: 'CURRENT',
        version: '3.70',
        min_version: '3.0',
        ...updated,
        links: link('/volume/v3'),
      },
    ],
  }));
  document('/share', 300, () => ({
    versions: [
      {
        id: 'v2.0',
        status: 'CURRENT',
        version: '2.73',
        min_version: '2.0',
        ...updated,
        links: link('/share/v2'),
      },
    ],
  }));
}
