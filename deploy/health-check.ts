// Exits with 0 if the process of this container is healthy. The command line of process 1 contains its role.
import { readFileSync } from 'node:fs';
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';

const TIMEOUT_MS = 1200;

const isWorker = readFileSync('/proc/1/cmdline', 'utf8').includes('apps/worker/');
const [port, path] = isWorker
  ? [process.env.WORKER_PORT ?? 8001, '/health']
  : [process.env.PORT ?? 8000, '/api/health'];

// Only the process knows whether it listens with TLS. The certificate does not have this address.
process.exitCode = (await isHealthy(getHttp)) || (await isHealthy(getHttps)) ? 0 : 1;

function isHealthy(get: typeof getHttps): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false } as const;
    get({ ...options, signal: AbortSignal.timeout(TIMEOUT_MS) }, (response) => {
      resolve(response.statusCode === 200);
      response.destroy();
    }).on('error', () => resolve(false));
  });
}
