import type { JobEvent, JobMessage } from '@gateway/client';
import { operationOf } from '../catalog/catalog.ts';
import { describeError, inSession } from '../errors/describe-error.ts';
import { bodyOf } from '../operations/input.ts';
import { printRecord, warn } from '../output/print.ts';
import { follow, sayHowToFollow } from '../progress/follow.ts';
import { type Call, endpointOf, readBody } from './call.ts';

/** The id of the resource is in `resource_id`, or in a field of its own such as `instance_id`. */
type LastEvent = JobEvent<JobMessage> & {
  resource_type?: string;
  resource_id?: string | null;
  [field: string]: unknown;
};

/** Starts a long operation, shows its progress, and prints its result; with `--no-follow` only its job. */
export async function runStart(call: Call): Promise<void> {
  const { context, gateway, operation, options, path } = call;
  const body = await bodyOf(context, gateway, operation.body ?? [], options);
  const endpoint = endpointOf(operation);
  if (options.follow === false) {
    const job = await jobOf(
      (onJob, signal) => gateway.startJob(endpoint, { body, path }, { onJob, signal }),
      context.signal,
    );
    await printRecord(context, options, { job_id: job });
    return sayHowToFollow(context, job);
  }
  const last = await follow(
    context,
    (following) => gateway.startJob(endpoint, { body, path }, following),
    options,
  );
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

/** The created resource. If it cannot be shown, the last event, with the id of the resource or none. */
async function resultOf({ context, gateway, operation, options }: Call, last: LastEvent): Promise<unknown> {
  const show =
    operationOf(context.catalog, 'show', (last.resource_type ?? '').replaceAll('_', '-')) ??
    operationOf(context.catalog, 'show', operation.noun);
  const [parameter] = show?.parameters ?? [];
  const id = (parameter && last[parameter.name]) ?? last.resource_id;
  const { id: _number, ...event } = last;
  const known = typeof id === 'string' ? { id, ...event } : event;
  if (show === undefined || parameter === undefined || typeof id !== 'string') return known;
  try {
    return await readBody(await gateway.send(endpointOf(show), { path: { [parameter.name]: id } }));
  } catch (error) {
    if (context.signal.aborted) throw error;
    // A script that takes it for a failure creates a second one.
    const { message } = describeError(inSession(error), context.env);
    warn(context, `The job has completed, but its result cannot be shown. ${message}`);
    const columns = (options.columns ?? []).map((name) => [name, null]);
    return { ...Object.fromEntries(columns), ...known };
  }
}
