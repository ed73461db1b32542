import type { Command } from 'commander';
import { operationOf } from '../catalog/catalog.ts';
import type { Operation, Verb } from '../catalog/operation.ts';
import type { Context } from '../context.ts';
import { NamingArgument } from '../operations/completed-values.ts';
import { resolveId } from '../operations/resolve.ts';
import { note } from '../output/print.ts';
import { follow } from '../progress/follow.ts';
import { withGateway } from '../session/open-session.ts';
import { type CommandOptions, withUrl } from './options.ts';
import { addEndpoint } from './resource-commands.ts';

const JOB = { name: 'job_id', list: '/api/jobs' };

/** `jobs`, `jobs show`, `jobs follow` and `jobs cancel`. */
export function addJobCommands(program: Command, context: Context): void {
  const jobs = program.command('jobs').description('list, show, follow and cancel long operations');
  addEndpoint(jobs.command('list', { isDefault: true }), operationNamed(context, 'list', 'jobs'), context);
  addEndpoint(jobs.command('show'), operationNamed(context, 'show', 'job'), context);
  withUrl(jobs.command('follow'))
    .description('show the progress of a job to its end')
    .addArgument(new NamingArgument('<job>', JOB))
    .action((job: string, options: CommandOptions) => followJob(context, job, options));
  withUrl(jobs.command('cancel'))
    .description('cancel a job, which is then rolled back')
    .addArgument(new NamingArgument('<job>', JOB))
    .action((job: string, options: CommandOptions) => cancelJob(context, job, options));
}

function operationNamed({ catalog }: Context, verb: Verb, noun: string): Operation {
  const operation = operationOf(catalog, verb, noun);
  if (operation === undefined) throw new Error(`The gateway has no endpoint for: ${verb} ${noun}`);
  return operation;
}

async function followJob(context: Context, job: string, options: CommandOptions): Promise<void> {
  await withGateway(context, options, async (gateway) => {
    const id = await resolveId(context, gateway, JOB, job);
    await follow(context, (following) => gateway.followJob(id, following));
  });
}

async function cancelJob(context: Context, job: string, options: CommandOptions): Promise<void> {
  await withGateway(context, options, async (gateway) => {
    const id = await resolveId(context, gateway, JOB, job);
    await gateway.request('POST /api/jobs/{job_id}/cancel', { path: { job_id: id } });
    note(context, `Cancelled. "gateway jobs follow ${id}" shows the rollback.`);
  });
}
