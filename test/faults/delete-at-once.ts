import type { ApiResponse, GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { createUnderLoad, type Session } from './load.ts';
import type { JobState, Rig } from './rig.ts';
import { type Verdict, verdictOf, verdictOfError } from './verdict.ts';

/** So slow that a server or a volume takes longer to go than a request may wait. */
const SLOW_DELAY_SCALE = 40;
const GONE_MS = 180_000;
const END_MS = 30_000;

/** A job in the list. */
interface ListedJob {
  status: JobState['status'] | 'queued' | 'running';
  resource_id: string | null;
  leftovers: JobState['leftovers'];
}

/**
 * Creates instances in one project and deletes them all at once, while servers and volumes are slow. All
 * requests are accepted, all jobs complete, and no resource is left. Returns a verdict per deletion.
 */
export async function deleteAtOnce(rig: Rig, session: Session, count: number): Promise<Verdict[]> {
  const before = await rig.inventory();
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const created = await Promise.all(
    numbers.map((number) => createUnderLoad(rig, session, `at-once-${number}`)),
  );
  const ids = created.flatMap(({ watcher }) => watcher.last?.instance_id ?? []);
  if (ids.length < count) return [verdictOfError(`Only ${ids.length} of ${count} instances were created.`)];

  await rig.control.set({ delayScale: SLOW_DELAY_SCALE });
  const client = session.client.at(rig.gateway().url);
  const answers = await Promise.all(ids.map((id) => client.request('DELETE', `/api/instances/${id}`)));
  const left = await rig.differencesFrom(before, {}, GONE_MS);
  const jobs = await endedDeletions(client, ids);
  const verdicts = ids.map((id, index) => judgeDeletion(answers[index], jobs.get(id)));
  if (left.length > 0) verdicts[0]?.leaked.push(left.join(', '));
  const accepted = answers.filter(({ status }) => status === 204).length;
  console.log(`deletions at once: ${count} requested, ${accepted} accepted`);
  return verdicts;
}

/** The jobs by instance, once all have ended; after a timeout as they are. */
async function endedDeletions(
  client: GatewayClient,
  ids: readonly string[],
): Promise<Map<string, ListedJob>> {
  let jobs = new Map<string, ListedJob>();
  await eventually(async () => {
    const { items } = await client.read<{ items: ListedJob[] }>('/api/jobs?type=instance.delete&limit=100');
    jobs = new Map(items.map((job) => [job.resource_id ?? '', job]));
    return ids.every((id) => jobs.get(id)?.status === 'completed');
  }, END_MS).catch(() => {});
  return jobs;
}

function judgeDeletion(answer: ApiResponse | undefined, job: ListedJob | undefined): Verdict {
  const verdict = verdictOf('completed');
  if (answer?.status !== 204)
    verdict.lost.push(`the request was answered ${answer?.status}: ${answer?.text}`);
  if (job?.status !== 'completed') verdict.lost.push(`the job is ${job?.status ?? 'unknown'}`);
  verdict.leaked.push(...(job?.leftovers ?? []).map(({ type, id }) => `left over: ${type} ${id}`));
  return verdict;
}
