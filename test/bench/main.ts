import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startStack } from '../../scripts/stack.ts';
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
 * Measures the performance budgets, each against a floor in the same run: `npm run bench [-- row...]`. Prints
 * a table, writes bench-results.json, and exits with 1 when a budget is missed.
 */
const RESULTS_FILE = 'bench-results.json';

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
const measurements: Record<string, () => Promise<Row | Row[]>> = {
  'cold-readers': () => coldReaders(stack),
  'cached-list': () => cachedLists(stack),
  'uncached-list': () => uncachedList(stack.redisUrl),
  'first-answers': () => firstAnswers(stack.redisUrl),
  'large-lists': () => largeLists(stack.redisUrl),
  creation: () => creation(stack),
  'cloud-creation': cloudCreation,
  waits,
  'waiting-clusters': () => waitingClusters(stack),
  workers,
  apis,
  backlog,
  journal,
  queue,
  streams: () => streams(stack),
  listeners: () => listeners(stack),
  attack: attacks,
  'redis-outage': redisOutage,
  'start-up': () => startUp(stack),
  'command-line': commandLine,
};

/** Take minutes, and matter only for scaling. */
const onlyIfNamed = ['apis', 'backlog'];

const { positionals } = parseArgs({ allowPositionals: true });
const rows: Row[] = [];
try {
  for (const [name, measure] of Object.entries(measurements)) {
    const isWanted = positionals.length === 0 ? !onlyIfNamed.includes(name) : positionals.includes(name);
    if (!isWanted) continue;
    console.error(`measuring ${name}`);
    rows.push(...[await measure()].flat());
  }
} finally {
  await stack.stop();
}
console.log(formatTable(rows));
writeFileSync(RESULTS_FILE, `${JSON.stringify({ measuredAt: new Date().toISOString(), rows }, null, 2)}\n`);
if (rows.some(({ met }) => !met)) process.exitCode = 1;
