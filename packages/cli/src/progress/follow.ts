import {
  hasFailed,
  type JobEvent,
  type JobEvents,
  type JobMessage,
  movingProgress,
  type StartOptions,
} from '@gateway/client';
import type { Context } from '../context.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT, exitCodeOf } from '../errors/exit-code.ts';
import { warn } from '../output/print.ts';

/** An outage of the gateway that a person would wait for. */
const GIVE_UP_AFTER_MS = 10 * 60_000;

/**
 * Shows the progress of a job to its end, over broken connections and restarts of the gateway, and returns
 * the last event. Ctrl-C leaves the job running. @throws CliError for a job that has failed
 * @param options `job` is one that has been started, so that an error does not end it
 */
export async function follow(
  context: Context,
  begin: (options: StartOptions) => JobEvents<JobMessage>,
  { quiet = false, job: known }: { quiet?: boolean | undefined; job?: string } = {},
): Promise<JobEvent<JobMessage>> {
  const { showProgress } = await import('./progress-bar.ts');
  const progress = quiet ? null : showProgress(context);
  let job = known;
  let last: JobEvent<JobMessage> | undefined;
  let now = () => 0;
  const options: StartOptions = {
    signal: context.signal,
    onJob: (id) => {
      job = id;
    },
    giveUpAfterMs: GIVE_UP_AFTER_MS,
    onReconnect: ({ delayMs }) =>
      progress?.update(now, `The connection is lost; the next attempt is in ${Math.ceil(delayMs / 1000)} s`),
    onReconnected: () => last && progress?.update(now, last.message),
  };
  try {
    for await (const event of begin(options)) {
      last = event;
      job = event.job_id;
      now = movingProgress(event);
      progress?.update(now, event.message);
    }
  } catch (error) {
    if (context.signal.aborted && job) throw interrupted(job);
    if (job) {
      progress?.stop();
      sayHowToFollow(context, job);
    }
    throw error;
  } finally {
    progress?.stop();
  }
  if (last === undefined) throw new CliError('The job has no events.', EXIT.failed);
  if (hasFailed(last)) throw failed(context, last);
  return last;
}

/** Also where no terminal is: the id of a job says nothing by itself. */
export function sayHowToFollow(context: Context, job: string): void {
  warn(context, `The job continues: "gateway jobs follow ${job}" shows its progress.`);
}

/** A refusal, such as a quota, has the exit code that it has as a response. */
function failed(
  { catalog }: Context,
  { job_id: job, error, message, code = '' }: JobEvent<JobMessage>,
): CliError {
  const status = catalog.errorStatuses[code] ?? 500;
  return new CliError(`${error ?? message} (job ${job})`, status < 500 ? exitCodeOf(status) : EXIT.failed);
}

function interrupted(job: string): CliError {
  return new CliError(`The job continues: "gateway jobs follow ${job}" shows it again.`, EXIT.interrupted);
}
