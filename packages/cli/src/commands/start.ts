import { operationOf } from '../catalog/catalog.ts';
import { bodyOf } from '../operations/input.ts';
import { note, printRecord } from '../output/print.ts';
import { follow } from '../progress/follow.ts';
import { type Call, endpointOf, readBody } from './call.ts';

/** Starts a long operation, and prints its job. With `--follow` shows its progress, and then its result. */
export async function runStart(call: Call): Promise<void> {
  const { context, gateway, operation, options, path } = call;
  const body = await bodyOf(context, gateway, operation.body ?? [], options);
  const endpoint = endpointOf({ ...operation, path: filled(operation.path, path) });
  if (!options.follow) {
    const job = await jobOf(
      (onJob, signal) => gateway.startJob(endpoint, { body }, { onJob, signal }),
      context.signal,
    );
    await printRecord(context, options, { job_id: job });
    return note(context, `Follow it with: gateway jobs follow ${job}`);
  }
  const last = await follow(context, (following) => gateway.startJob(endpoint, { body }, following), options);
  await printRecord(context, options, await resultOf(call, last));
}

/** The id of the job, as soon as the gateway has accepted it. */
async function jobOf(
  start: (onJob: (job: string) => void, signal: AbortSignal) => AsyncGenerator<unknown>,
  interrupt: AbortSignal,
): Promise<string> {
  const accepted = new AbortController();
  let job: string | undefined;
  const onJob = (id: string): void => {
    job = id;
    accepted.abort();
  };
  const events = start(onJob, AbortSignal.any([interrupt, accepted.signal]));
  await events.next().catch((error: unknown) => {
    if (job === undefined) throw error;
  });
  if (job === undefined) throw new Error('The gateway has not named the job.');
  return job;
}

/** The created resource; the last event if it cannot be shown. */
async function resultOf({ context, gateway, operation }: Call, last: object): Promise<unknown> {
  const show = operationOf(context.catalog, 'show', operation.noun);
  const [parameter] = show?.parameters ?? [];
  const id = parameter && (last as Record<string, unknown>)[parameter.name];
  if (show === undefined || parameter === undefined || typeof id !== 'string') return last;
  return readBody(await gateway.send(endpointOf(show), { path: { [parameter.name]: id } }));
}

function filled(template: string, path: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(path[name] ?? ''));
}
