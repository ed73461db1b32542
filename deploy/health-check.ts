// Exits with 0 if the process of this container is healthy. The command line of process 1 contains its role.
import { readFileSync } from 'node:fs';

const isWorker = readFileSync('/proc/1/cmdline', 'utf8').includes('apps/worker/');
const url = isWorker
  ? `http://127.0.0.1:${process.env.WORKER_PORT ?? 8001}/health`
  : `http://127.0.0.1:${process.env.PORT ?? 8000}/api/health`;

try {
  const response = await fetch(url, { signal: AbortSignal.timeout(2500) });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
