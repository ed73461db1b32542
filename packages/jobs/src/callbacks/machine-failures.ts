import type { Sealer } from '@gateway/core';
import type { Redis } from '@gateway/store';
import type { JobType } from '../catalog/catalog.ts';
import { jobKeys } from '../keys.ts';
import { jobIdIn, ReportTokens, tokenField } from './report-tokens.ts';
import { acceptFailureScript } from './scripts.ts';

interface MachineFailuresOptions {
  redis: Redis;
  sealer: Sealer;
}

/** A failure that a machine reports. */
export interface MachineFailure {
  /** The id that the machine has in the compute service, as the machine knows it. */
  serverId: string;
  error: string;
}

const PURPOSE = 'machine failure';
const FAILURE_FIELD = 'failure:';
/** Tokens and failures of a job. Each creation of a machine that is repeated issues another token. */
const MOST = 500;

/**
 * Failures of the machines of a job that has several of them and learns of their success elsewhere. The
 * machine names itself: several attempts to create a machine have several tokens, and one of them succeeds.
 * Only the first failure of a machine counts. Callbacks are for jobs with one machine.
 */
export class MachineFailures extends ReportTokens {
  readonly #options: MachineFailuresOptions;

  constructor(options: MachineFailuresOptions) {
    super({ ...options, keyOf: jobKeys.failures });
    this.#options = options;
  }

  /** Stores a failure and returns the job; null when the token is invalid or the job has ended. */
  async accept(
    token: string,
    { serverId, error }: MachineFailure,
  ): Promise<{ id: string; type: JobType } | null> {
    const { redis, sealer } = this.#options;
    const id = jobIdIn(token);
    if (id === null) return null;
    const keys = { failures: jobKeys.failures(id), record: jobKeys.record(id) };
    const type = await acceptFailureScript.runReplicated(redis, keys, {
      tokenField: tokenField(token),
      machineField: FAILURE_FIELD + serverId,
      failure: sealer.seal(PURPOSE, error),
      most: MOST,
    });
    return type === null ? null : { id, type: type as JobType };
  }

  /** What a machine has reported; null without a failure. */
  async read(jobId: string, serverId: string): Promise<string | null> {
    const { redis, sealer } = this.#options;
    const sealed = await redis.hget(jobKeys.failures(jobId), FAILURE_FIELD + serverId);
    return sealed === null ? null : sealer.open(PURPOSE, sealed);
  }
}
