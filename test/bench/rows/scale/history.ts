import { type Stack, startStack } from '../../../../scripts/stack.ts';
import { GatewayClient, messagesOf } from '../../../support/clients/gateway-client.ts';
import { testLogin } from '../../../support/stacks/test-stack.ts';
import { median, type Row, rowWithoutBudget } from '../../row.ts';
import { openStore } from '../queue/open-store.ts';
import { usedBytes } from '../queue/redis-figures.ts';
import { EndedJobs } from './ended-jobs.ts';
import { maintenanceRound } from './maintenance.ts';

const HISTORY = 20_000;
const PROJECTS = 500;
/** One of so many jobs is of the project whose pages are read. */
const OWN_SHARE = 20;
const WRITTEN_AT_ONCE = 200;
/** Reads of each page, of which the median counts. */
const READS = 20;

/** What a long history costs: creations that ended within `jobs.keep_seconds`. */
export async function history(): Promise<Row[]> {
  const stack = await startStack({ discardLogs: true, cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0' } });
  const store = await openStore(stack);
  const { redis, queues } = store;
  let jobs: EndedJobs | undefined;
  try {
    const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    jobs = await EndedJobs.like(await createReally(gateway), redis);
    const emptyBytes = await usedBytes(redis);
    await writeAll(jobs, gateway.projectId);
    const bytes = ((await usedBytes(redis)) - emptyBytes) / HISTORY;
    return [
      rowWithoutBudget('an ended creation', 'bytes', bytes, `${HISTORY} jobs of ${PROJECTS} projects`),
      ...(await readTimes(stack, gateway)),
      await maintenanceRound(redis, queues, `${HISTORY} jobs in the history`),
    ];
  } finally {
    await jobs?.close();
    await store.close();
    await stack.stop();
  }
}

/** Returns the id of the job. */
async function createReally(gateway: GatewayClient): Promise<string> {
  const request = await gateway.smallInstanceRequest('bench');
  const last = (await messagesOf(await gateway.createInstance(request))).at(-1);
  if (last?.step !== 'COMPLETED') throw new Error(`A creation failed: ${last?.error}`);
  const page = await gateway.read<{ items: { id: string }[] }>('/api/jobs?type=instance.create&limit=1');
  return page.items[0]?.id ?? '';
}

async function writeAll(jobs: EndedJobs, ownProject: string): Promise<void> {
  for (let from = 0; from < HISTORY; from += WRITTEN_AT_ONCE) {
    const written = await Promise.all(
      Array.from({ length: WRITTEN_AT_ONCE }, async (_, offset) => {
        const index = from + offset;
        const projectId = index % OWN_SHARE === 0 ? ownProject : `${ownProject.slice(4)}-${index % PROJECTS}`;
        return { id: await jobs.write(projectId), projectId };
      }),
    );
    const [first] = written;
    if (from === 0 && first !== undefined) await jobs.assertLikeReal(first.id, first.projectId);
  }
}

/** The times of reads that could depend on the number of jobs. */
async function readTimes(stack: Stack, gateway: GatewayClient): Promise<Row[]> {
  const own = `${HISTORY / OWN_SHARE} of ${HISTORY} jobs are of the project`;
  const metrics = `${HISTORY} jobs in the history`;
  const reads: [name: string, note: string, read: () => Promise<unknown>][] = [
    ['a page of jobs', own, () => gateway.request('GET', '/api/jobs?limit=50')],
    ['a page of creations', own, () => gateway.request('GET', '/api/jobs?limit=50&type=instance.create')],
    [
      'a page of a type without jobs',
      own,
      () => gateway.request('GET', '/api/jobs?limit=50&type=lite.create'),
    ],
    ['the metrics of an api', metrics, () => readText(`${stack.url}/api/metrics`)],
    ['the metrics of a worker', metrics, () => readText(`${stack.workers[0]?.url}/metrics`)],
  ];
  const rows: Row[] = [];
  for (const [name, note, read] of reads) {
    const times: number[] = [];
    for (let count = 0; count < READS; count += 1) {
      const started = performance.now();
      await read();
      times.push(performance.now() - started);
    }
    rows.push(rowWithoutBudget(name, 'ms', median(times), note));
  }
  return rows;
}

async function readText(url: string): Promise<string> {
  return (await fetch(url)).text();
}
