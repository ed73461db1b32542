import { GatewayError, trimEndChars } from '@gateway/core';
import { buildProgress, type CallbackReport } from '@gateway/jobs';
import { isNotFound, isTransient } from '@gateway/openstack';
import { ParkedError, type PublishProgress, requireState } from '@gateway/saga';
import { maskSecrets } from '@gateway/telemetry';
import { type BuilderReport, stageOf } from '../report.ts';
import { announce, type BuildLibraryState, type BuildStepContext, defineBuildStep } from '../saga.ts';

/** In polling intervals. The builder reports its progress by itself; the state of its server is read less often. */
const LOOK_INTERVALS = 15;
/** In polling intervals. A builder that has reported should power off by itself; after this time it is switched off. */
const POWER_OFF_INTERVALS = 60;

const MAX_LOG_TAIL = 16_384;

/** Waits, parked, until the builder has reported success and is off. */
export const installLibrary = defineBuildStep<{ checksum: string | null }>({
  name: 'install',
  beginUpdate: announce('LIBRARY_INSTALLING', buildProgress.LIBRARY_INSTALLING, 'The builder is starting.'),
  run: async () => ({ checksum: null }),
  async settle(context, _result, tell) {
    const state = await builderState(context);
    // Read after the server's state: a builder reports before it powers off.
    const report = await context.callback.read();
    if (report !== null) await tellOf(context, report, tell);
    if (report?.isFinal === true) {
      const checksum = checkedManifest(context, report.body);
      if (state === 'off') return { checksum };
      const isLate = Date.now() - report.at > POWER_OFF_INTERVALS * context.config.jobs.pollIntervalMs;
      if (isLate) await switchOff(context);
    } else if (state === 'off') {
      throw failed('the builder went off without a report', 'build_failed');
    }
    throw parkedUntil(context, report?.isFinal === true ? 1 : LOOK_INTERVALS);
  },
});

type Tells = PublishProgress<BuildLibraryState>;

/** What a builder writes may show what its commands were given. Each report is told once, whoever reads it; progress does not fall when a builder begins anew. */
async function tellOf(
  { state }: BuildStepContext,
  { number, body }: CallbackReport<BuilderReport>,
  tell: Tells,
): Promise<void> {
  if (state.reported !== undefined && state.reported.number >= number) return;
  const { progress, message } = stageOf(body);
  const highest = Math.max(progress, state.reported?.progress ?? 0);
  await tell(announce('LIBRARY_INSTALLING', highest, message), {
    reported: { number, stage: body.stage, progress: highest, logTail: logTailOf(body) },
  });
}

/** The length that the api accepts. Masking secrets may have made the text longer. */
function logTailOf({ log_tail = '' }: BuilderReport): string {
  return maskSecrets(log_tail.slice(-MAX_LOG_TAIL)).slice(-MAX_LOG_TAIL);
}

/** @throws when the builder has failed, or has built something else */
function checkedManifest({ input }: BuildStepContext, report: BuilderReport): string {
  if (report.success !== true) {
    const reason = report.error ? `: ${maskSecrets(report.error)}` : '';
    throw failed(`the builder failed at stage ${report.stage}${reason}`, 'build_failed');
  }
  const { manifest } = report;
  if (manifest?.library !== input.libraryId || manifest.version !== input.version) {
    throw failed('the builder reports another library or version', 'build_failed');
  }
  return manifest.checksum;
}

/** @throws when the builder can no longer report */
async function builderState(context: BuildStepContext): Promise<'on' | 'off'> {
  const { servers } = (await context.service()).compute;
  try {
    const { status, fault } = await servers.get(requireState(context, 'serverId'));
    if (status === 'SHUTOFF') return 'off';
    if (status === 'ERROR')
      throw failed(fault?.message ?? 'the builder is in an error state', 'build_failed');
    if (status === 'DELETED' || status === 'SOFT_DELETED')
      throw failed('the builder was deleted', 'build_failed');
    return 'on';
  } catch (error) {
    if (isNotFound(error)) throw failed('the builder was deleted', 'build_failed');
    if (isTransient(error)) return 'on';
    throw error;
  }
}

/** The builder may have powered off by itself meanwhile. */
async function switchOff(context: BuildStepContext): Promise<void> {
  const { servers } = (await context.service()).compute;
  try {
    await servers.stop(requireState(context, 'serverId'));
  } catch (error) {
    context.logger.debug('The builder could not be switched off', { error });
  }
}

/** @throws when the build has exceeded its time limit */
function parkedUntil({ config, since }: BuildStepContext, intervals: number): ParkedError {
  const leftMs = since + config.timeLimits.buildSeconds * 1000 - Date.now();
  if (leftMs <= 0) throw failed('the builder has not come to an end in time', 'build_timeout');
  return new ParkedError(Math.min(leftMs, intervals * config.jobs.pollIntervalMs));
}

function failed(reason: string, code: 'build_failed' | 'build_timeout'): GatewayError {
  const sentence = trimEndChars(reason, '. \t\r\n');
  return new GatewayError(502, code, `The library could not be built: ${sentence}.`);
}
