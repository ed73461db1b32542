import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { atIntervals, type Interruptions, oneOf, randomFrom } from '../support/load/at-intervals.ts';
import { killAtIntervals } from '../support/load/kill-at-intervals.ts';
import type { TestLogin } from '../support/stacks/test-stack.ts';
import { deleteAtOnce } from './delete-at-once.ts';
import { type Creation, createdBy, createUnderLoad, judgeCreations, type Session } from './load.ts';
import { prepareProjects } from './projects.ts';
import { Rig } from './rig.ts';
import type { Verdict } from './verdict.ts';

interface SoakOptions {
  creations: number;
  projects: number;
  seed: number;
}

interface SoakSession extends Session {
  login: TestLogin;
}

const KILL_EVERY_MS = 2_000;
const LOG_OUT_EVERY_MS = 1_000;
const DELETIONS_AT_ONCE = 30;
/** Slow enough for each creation to see a few kills. */
const SLOW_DELAY_SCALE = 1;

/**
 * Many creations in many projects, while every two seconds a random process is killed and restarted, and a
 * random user logs out and in again. Then many deletions at once in one project.
 */
export async function soak({ creations, projects, seed }: SoakOptions): Promise<Verdict[]> {
  const rig = await Rig.start({ delayScale: SLOW_DELAY_SCALE });
  try {
    const logins = await prepareProjects(rig.stack.identityUrl ?? '', projects);
    const sessions = await Promise.all(
      logins.map(async (login) => ({ login, client: await GatewayClient.logIn(rig.stack.url, login) })),
    );
    const before = await rig.inventory();
    await rig.control.clearCalls();
    const random = randomFrom(seed);
    const killing = killAtIntervals(rig.stack, KILL_EVERY_MS, random);
    const loggingOut = logOutAtIntervals(rig, sessions, random);
    const done = await createAll(rig, sessions, creations);
    const [kills, logOuts] = [await killing.stop(), await loggingOut.stop()];
    const verdicts = await judgeCreations(rig, done);
    const left = await rig.differencesFrom(before, createdBy(done));
    if (left.length > 0) verdicts[0]?.leaked.push(left.join(', '));
    const count = (status: Creation['status']) => done.filter((one) => one.status === status).length;
    console.log(
      `soak: ${done.length} creations of ${projects} projects, ${kills} processes killed, ${logOuts} log-outs ` +
        `(seed ${seed}): ${count('completed')} completed, ${count('failed')} failed`,
    );
    const [first] = sessions;
    if (first === undefined) return verdicts;
    return [...verdicts, ...(await deleteAtOnce(rig, first, DELETIONS_AT_ONCE))];
  } finally {
    await rig.stop();
  }
}

/** Keeps one creation per project running until all are done. */
async function createAll(rig: Rig, sessions: readonly Session[], count: number): Promise<Creation[]> {
  const done: Creation[] = [];
  let begun = 0;
  await Promise.all(
    sessions.map(async (session) => {
      while (begun < count) {
        begun += 1;
        done.push(await createUnderLoad(rig, session, `soak-${begun}`));
      }
    }),
  );
  return done;
}

/** Ends a random session at each interval. Its user logs in again. */
function logOutAtIntervals(rig: Rig, sessions: readonly SoakSession[], random: () => number): Interruptions {
  const open = new Set(sessions);
  return atIntervals(LOG_OUT_EVERY_MS, () => {
    const session = oneOf(open, random);
    if (session === undefined) return undefined;
    open.delete(session);
    return logOutAndIn(rig, session).then(() => void open.add(session));
  });
}

/**
 * Repeated while processes are killed. The first response to a repeated log-out can be
 * that the token is invalid.
 */
async function logOutAndIn(rig: Rig, session: SoakSession): Promise<void> {
  const { client } = session;
  await eventually(async () => {
    const { status } = await client.at(rig.gateway().url).request('POST', '/api/auth/logout');
    return [204, 401].includes(status);
  });
  await eventually(async () => {
    session.client = await GatewayClient.logIn(rig.gateway().url, session.login);
    return true;
  });
}
