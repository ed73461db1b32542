import { randomUUID } from 'node:crypto';
import { bodyOf, fieldValues } from '../operations/input.ts';
import { note, printRecord } from '../output/print.ts';
import { follow, sayHowToFollow } from '../progress/follow.ts';
import { type Call, endpointOf, readBody } from './call.ts';

/** Creates or changes something, and prints the response. Before it, shows the progress of a followed job. */
export async function runWrite(call: Call): Promise<void> {
  const { context, gateway, operation, options, path } = call;
  const query = await fieldValues(context, gateway, operation.query, options);
  const body = operation.body && (await bodyOf(context, gateway, operation.body, options));
  const isPost = operation.method === 'POST';
  const response = await gateway.send(endpointOf(operation), {
    path,
    query,
    ...(body && { body }),
    ...(isPost && { idempotencyKey: randomUUID() }),
  });
  const result = await readBody(response);
  const { job_id: named } = (result ?? {}) as { job_id?: unknown };
  const job = response.headers.get('x-job-id') ?? (typeof named === 'string' ? named : null);
  const isFollowed = options.follow ?? operation.verb === 'create';
  if (isFollowed && job !== null) {
    await follow(context, (following) => gateway.followJob(job, following), { ...options, job });
  }
  if (result === undefined) note(context, 'Done.');
  else await printRecord(context, options, result);
  if (!isFollowed && job !== null) sayHowToFollow(context, job);
}
