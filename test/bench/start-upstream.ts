import { type ServerProcess, startServer } from '../../scripts/server-process.ts';

/** Starts an upstream that answers a token and a list of key pairs at once. */
export function startUpstream(): Promise<ServerProcess> {
  return startServer({
    name: 'upstream',
    entry: 'test/bench/baselines/upstream.ts',
    portVariable: 'PORT',
    healthPath: '/v3',
    env: { ...process.env },
  });
}
