import { type GatewayError, textEnd } from '@gateway/core';
import type { CallbackReport, LibraryBuilding } from '@gateway/jobs';
import { isNotFound, isTransient } from '@gateway/openstack';
import { maskSecrets } from '@gateway/platform';
import {
  ParkedError,
  type ProgressUpdate,
  type PublishProgress,
  requireState,
  type Step,
} from '../../saga/index.ts';
import { resultUnder, type StateKeyOf } from '../resources/resource-step.ts';
import type { LibraryMachineContext, LibraryMachineState, MachineStepContext } from './context.ts';

/** The part of a machine's report that the gateway itself reads. */
interface MachineReport {
  stage: string;
  log_tail?: string;
}

type MachineStage = Pick<ProgressUpdate, 'progress' | 'message'>;

interface ReportStep<Context, State extends object, Report, Result extends object>
  extends Pick<Step<Context, State>, 'name'> {
  beginUpdate: ProgressUpdate;
  /** The key of the state for the result; null until the machine has reported. */
  key: StateKeyOf<State, Result | null>;
  /** The machine in the middle of a sentence, such as "the builder". */
  machine: string;
  /** By the stage that the machine reports, after those that all machines begin with. */
  stages: Record<string, MachineStage>;
  /** @throws if the machine reports that the job has failed */
  resultOf(context: Context, report: Report): Result;
  /** Why there is no result; the reason is a sentence without its first capital and full stop. */
  failure(reason: string, isTimeout: boolean): GatewayError;
}

/**
 * In polling intervals. A report resumes the job at once, so the state of the server is checked less often.
 */
const SERVER_CHECK_INTERVALS = 15;
/**
 * In polling intervals. A machine powers off after its final report; after this time the job powers it off.
 */
const POWER_OFF_INTERVALS = 60;

const MAX_LOG_TAIL = 16_384;

/** The progress of a stage that is not known, which is the progress of the first stage. */
const FIRST_PROGRESS = 32;

/** Waits, parked, until the machine has sent its final report and powered off. */
export function reportStep<
  Report extends MachineReport,
  Context extends LibraryMachineContext<LibraryBuilding, Report>,
  State extends LibraryMachineState,
  Result extends object,
>(spec: ReportStep<Context, State, Report, Result>): Step<Context, State> {
  const { name, beginUpdate, key, machine, resultOf, failure } = spec;
  const stages: Record<string, MachineStage> = { ...firstStages(machine), ...spec.stages };
  return {
    name,
    beginUpdate,
    run: async () => resultUnder<State, Result | null>(key, null),
    async settle(context, _result, publish) {
      const machineContext: MachineStepContext<Report> = context;
      const state = await machineState(machineContext, machine, failure);
      // Read after the server's state: a machine reports before it powers off.
      const report = await context.callback.read();
      if (report !== null) {
        const { stage } = report.body;
        const update = stages[stage] ?? { progress: FIRST_PROGRESS, message: unknownStage(machine, stage) };
        await publishReport(machineContext, report, { ...beginUpdate, ...update }, publish);
      }
      if (report?.isFinal === true) {
        const result = resultOf(context, report.body);
        if (state === 'off') return resultUnder<State, Result | null>(key, result);
        const isLate = Date.now() - report.at > POWER_OFF_INTERVALS * context.config.jobs.pollIntervalMs;
        if (isLate) await powerOff(machineContext);
      } else if (state === 'off') {
        throw failure(`${machine} powered off without a report`, false);
      }
      const leftMs = context.since + context.config.timeLimits.buildSeconds * 1000 - Date.now();
      if (leftMs <= 0) throw failure(`${machine} did not finish within the time limit`, true);
      const intervals = report?.isFinal === true ? 1 : SERVER_CHECK_INTERVALS;
      throw new ParkedError(Math.min(leftMs, intervals * context.config.jobs.pollIntervalMs));
    },
  };
}

function firstStages(machine: string): Record<string, MachineStage> {
  return {
    start: { progress: FIRST_PROGRESS, message: `${capitalised(machine)} has started.` },
    tools: { progress: 35, message: `${capitalised(machine)} installs the required programs.` },
  };
}

function unknownStage(machine: string, stage: string): string {
  return `${capitalised(machine)} is working (${stage}).`;
}

function capitalised(machine: string): string {
  return machine.replace(/^t/, 'T');
}

/** Publishes each report once. The progress does not fall when a machine starts again. */
async function publishReport<Report extends MachineReport, State extends LibraryMachineState>(
  { state }: MachineStepContext<Report>,
  { number, body }: CallbackReport<Report>,
  update: ProgressUpdate,
  publish: PublishProgress<State>,
): Promise<void> {
  if (state.reported !== undefined && state.reported.number >= number) return;
  const progress = Math.max(update.progress, state.reported?.progress ?? 0);
  const reported = { number, stage: body.stage, progress, logTail: logTailOf(body) };
  await publish({ ...update, progress }, { reported } as Partial<State>);
}

/**
 * The log may show secrets of the catalogue's commands. Masking them may lengthen the text, so it is cut
 * again.
 */
function logTailOf({ log_tail = '' }: MachineReport): string {
  return textEnd(maskSecrets(textEnd(log_tail, MAX_LOG_TAIL)), MAX_LOG_TAIL);
}

/** @throws if the machine can no longer report */
async function machineState<Report>(
  context: MachineStepContext<Report>,
  machine: string,
  failure: (reason: string, isTimeout: boolean) => GatewayError,
): Promise<'on' | 'off'> {
  const { servers } = (await context.service()).compute;
  try {
    const { status, fault } = await servers.get(requireState(context, 'serverId'));
    if (status === 'SHUTOFF') return 'off';
    if (status === 'ERROR') throw failure(fault?.message ?? `${machine} is in an error state`, false);
    if (status === 'DELETED' || status === 'SOFT_DELETED') throw failure(`${machine} was deleted`, false);
    return 'on';
  } catch (error) {
    if (isNotFound(error)) throw failure(`${machine} was deleted`, false);
    if (isTransient(error)) return 'on';
    throw error;
  }
}

/** Fails harmlessly if the machine has powered off meanwhile. */
async function powerOff<Report>(context: MachineStepContext<Report>): Promise<void> {
  const { servers } = (await context.service()).compute;
  try {
    await servers.stop(requireState(context, 'serverId'));
  } catch (error) {
    context.logger.debug('The machine could not be powered off', { error });
  }
}
