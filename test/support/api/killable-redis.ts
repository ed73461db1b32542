import { type RunningRedis, startRedis } from '../../../scripts/redis.ts';
import { eventually } from '../eventually.ts';
import type { TestApi } from './suite.ts';

interface KillableRedis {
  readonly url: string;
  kill(signal: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
  /** Kills the server and waits until the api has lost the connection. */
  killAndWait(api: TestApi): Promise<void>;
}

/** A Redis server for the suite, running at the start of each test. Call within `describe`. */
export function killableRedis(): KillableRedis {
  let server: RunningRedis | undefined;

  before(async () => {
    server = await startRedis();
  });
  beforeEach(async () => {
    if (server?.isRunning() === false) await server.restart();
  });
  after(() => server?.stop());

  function running(): RunningRedis {
    if (server === undefined) throw new Error('The Redis of the suite is started before its first test.');
    return server;
  }
  return {
    get url() {
      return running().url;
    },
    kill: (signal) => running().kill(signal),
    restart: () => running().restart(),
    async killAndWait({ context }) {
      await running().kill('SIGKILL');
      await eventually(async () => context.redis.store.status !== 'ready');
    },
  };
}
