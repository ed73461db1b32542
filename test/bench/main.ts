import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Stack, startStack } from '../../scripts/stack.ts';
import { measureBeside } from './beside.ts';
import { formatTable, type Row } from './row.ts';
import { attacks } from './rows/attack.ts';
import { cachedLists } from './rows/cached-list.ts';
import { cloudCreation } from './rows/cloud-creation.ts';
import { coldReaders } from './rows/cold-readers.ts';
import { commandLine } from './rows/command-line.ts';
import { creation } from './rows/creation.ts';
import { firstAnswers } from './rows/first-answers.ts';
import { journal } from './rows/journal.ts';
import { largeLists } from './rows/large-lists.ts';
import { queue } from './rows/queue/queue.ts';
import { redisOutage } from './rows/redis-outage.ts';
import { apis } from './rows/scale/apis.ts';
import { backlog } from './rows/scale/backlog.ts';
import { workers } from './rows/scale/workers.ts';
import { startUp } from './rows/start-up.ts';
import { listeners, streams } from './rows/streams.ts';
import { uncachedList } from './rows/uncached-list.ts';
import { waitingClusters } from './rows/waiting-clusters.ts';
import { waits } from './rows/waits.ts';

/**
 * Measures the performance budgets, each against a floor in the same run:
 *   npm run bench [-- [--beside <commit>] row...]
 * Prints a table, writes bench-results.json, and exits with 1 when a budget is missed. With another commit,
 * each row is measured in both, one after the other.
 */
const RESULTS_FILE = 'bench-results.json';

const measurements: Record<string, (stack: Stack) => Promise<Row | Row[]>> = {
  'cold-readers': coldReaders,
  'cached-list': cachedLists,
  'uncached-list': ({ redisUrl }) => uncachedList(redisUrl),
  'first-answers': ({ redisUrl }) => firstAnswers(redisUrl),
  'large-lists': ({ redisUrl }) => largeLists(redisUrl),
  creation,
  'cloud-creation': cloudCreation,
  waits,
  'waiting-clusters': waitingClusters,
  workers,
  apis,
  backlog,
  journal,
  queue,
  streams,
  listeners,
  attack: attacks,
  'redis-outage': redisOutage,
  'start-up': startUp,
  'command-line': commandLine,
};

/** Take minutes, and matter only for scaling. */
const onlyIfNamed = ['apis', 'backlog'];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string' } },
});
const names =
  positionals.length > 0
    ? positionals
    : Object.keys(measurements).filter((name) => !onlyIfNamed.includes(name));
if (values.beside === undefined) await measureAll();
else measureBeside(values.beside, { names, resultsFile: RESULTS_FILE });

async function measureAll(): Promise<void> {
  const stack = await startStack({
    apis: 2,
    discardLogs: true,
    cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0' },
    // Rate limits are off and lists stay cached, because neither is measured.
    config: {
      rate_limits: { login: 0, instance_create: 0, lite_create: 0 },
      cache: { flavors_seconds: 3600, instances_seconds: 3600 },
    },
  });
  const rows: Row[] = [];
  try {
    for (const [name, measure] of Object.entries(measurements)) {
      if (!names.includes(name)) continue;
      console.error(`measuring ${name}`);
      rows.push(...[await measure(stack)].flat());
    }
  } finally {
    await stack.stop();
  }
  console.log(formatTable(rows));
  writeFileSync(RESULTS_FILE, `${JSON.stringify({ measuredAt: new Date().toISOString(), rows }, null, 2)}\n`);
  if (rows.some(({ met }) => !met)) process.exitCode = 1;
}
