import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '../../scripts/server-process.ts';
import { GatewayClient } from '../support/gateway-client.ts';
import { type Creation, createdBy, createUnderLoad, judgeCreations } from './load.ts';
import { prepareProjects } from './projects.ts';
import { Rig } from './rig.ts';
import type { Verdict } from './verdict.ts';

export interface SoakOptions {
  creations: number;
  projects: number;
  seed: number;
}

const KILL_EVERY_MS = 2_000;
/** Slow enough for each creation to see a few kills. */
const SLOW_DELAY_SCALE = 1;

/**
 * Many creations in many projects, while a random process is killed and restarted every two seconds.
 */
export async function soak({ creations, projects, seed }: SoakOptions): Promise<Verdict[]> {
  const rig = await Rig.start({ delayScale: SLOW_DELAY_SCALE });
  try {
    const logins = await prepareProjects(rig.stack.identityUrl ?? '', projects);
    const callers = await Promise.all(logins.map((login) => GatewayClient.logIn(rig.stack.url, login)));
    const before = await rig.control.inventory();
    await rig.control.clearCalls();
    const killing = killAtIntervals(rig, seed);
    const done = await createAll(rig, callers, creations);
    const kills = await killing.stop();
    const verdicts = await judgeCreations(rig, done);
    const left = await rig.differencesFrom(before, createdBy(done));
    if (left.length > 0) verdicts[0]?.leaked.push(left.join(', '));
    const count = (status: Creation['status']) => done.filter((one) => one.status === status).length;
    console.log(
      `soak: ${done.length} creations of ${projects} projects, ${kills} processes killed (seed ${seed}): ` +
        `${count('completed')} completed, ${count('failed')} failed`,
    );
    return verdicts;
  } finally {
    await rig.stop();
  }
}

/** Keeps one creation per project running until all are done. */
async function createAll(rig: Rig, callers: GatewayClient[], count: number): Promise<Creation[]> {
  const done: Creation[] = [];
  let begun = 0;
  await Promise.all(
    callers.map(async (caller) => {
      while (begun < count) {
        begun += 1;
        done.push(await createUnderLoad(rig, caller, `soak-${begun}`));
      }
    }),
  );
  return done;
}

/** Kills a random running process at each interval, also while others restart. */
function killAtIntervals(rig: Rig, seed: number): { stop(): Promise<number> } {
  const random = randomFrom(seed);
  const stopping = new AbortController();
  const up = new Set([...rig.stack.workers, ...rig.stack.apis]);
  const restarts: Promise<void>[] = [];
  const strike = async (victim: ServerProcess): Promise<void> => {
    up.delete(victim);
    await victim.kill('SIGKILL');
    await victim.restart();
    up.add(victim);
  };
  const killing = (async () => {
    while (!stopping.signal.aborted) {
      await pause(KILL_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
      const victim = [...up][Math.floor(random() * up.size)];
      if (stopping.signal.aborted) return;
      if (victim === undefined) continue;
      const restart = strike(victim);
      // A failure is reported by stop(), which waits for all restarts.
      restart.catch(() => {});
      restarts.push(restart);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await killing;
      await Promise.all(restarts);
      return restarts.length;
    },
  };
}

/** Deterministic random numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
