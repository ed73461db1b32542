import { type ServerProcess, startServer } from '../../scripts/server-process.ts';

/** Starts an upstream that responds at once with a token and a list of key pairs. */
export function startUpstream(): Promise<ServerProcess> {
  return startServer({
    name: 'upstream',
    entry: 'test/bench/baselines/upstream.ts',
    portVariable: 'PORT',
    healthPath: '/v3',
    env: { ...process.env },
  });
}
