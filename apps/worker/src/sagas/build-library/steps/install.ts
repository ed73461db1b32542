import { GatewayError, textEnd, trimEndChars } from '@gateway/core';
import { buildProgress, type CallbackReport } from '@gateway/jobs';
import {
  type BuilderManifest,
  type BuilderReport,
  pinnedPackages,
  reportedPackages,
} from '@gateway/libraries';
import { isNotFound, isTransient } from '@gateway/openstack';
import { ParkedError, type PublishProgress, requireState } from '@gateway/saga';
import { maskSecrets } from '@gateway/telemetry';
import {
  announce,
  type BuildLibraryState,
  type BuildStepContext,
  type BuiltLibrary,
  defineBuildStep,
} from '../saga.ts';
import { stageProgress } from '../stage-progress.ts';

/**
 * In polling intervals. A report resumes the job at once, so the state of the server is checked less often.
 */
const SERVER_CHECK_INTERVALS = 15;
/**
 * In polling intervals. A builder powers off after its final report; after this time the job powers it off.
 */
const POWER_OFF_INTERVALS = 60;

const MAX_LOG_TAIL = 16_384;

/** Waits, parked, until the builder has reported success and powered off. */
export const installLibrary = defineBuildStep<{ built: BuiltLibrary | null }>({
  name: 'install',
  beginUpdate: announce('LIBRARY_INSTALLING', buildProgress.LIBRARY_INSTALLING, 'The builder is starting.'),
  run: async () => ({ built: null }),
  async settle(context, _result, publish) {
    const state = await builderState(context);
    // Read after the server's state: a builder reports before it powers off.
    const report = await context.callback.read();
    if (report !== null) await publishReport(context, report, publish);
    if (report?.isFinal === true) {
      const built = builtLibrary(context, report.body);
      if (state === 'off') return { built };
      const isLate = Date.now() - report.at > POWER_OFF_INTERVALS * context.config.jobs.pollIntervalMs;
      if (isLate) await powerOff(context);
    } else if (state === 'off') {
      throw failed('the builder powered off without a report', 'build_failed');
    }
    throw parkedUntil(context, report?.isFinal === true ? 1 : SERVER_CHECK_INTERVALS);
  },
});

/** Publishes each report once. The progress does not fall when a builder starts again. */
async function publishReport(
  { state }: BuildStepContext,
  { number, body }: CallbackReport<BuilderReport>,
  publish: PublishProgress<BuildLibraryState>,
): Promise<void> {
  if (state.reported !== undefined && state.reported.number >= number) return;
  const { progress, message } = stageProgress(body);
  const highest = Math.max(progress, state.reported?.progress ?? 0);
  await publish(announce('LIBRARY_INSTALLING', highest, message), {
    reported: { number, stage: body.stage, progress: highest, logTail: logTailOf(body) },
  });
}

/**
 * The log may show secrets of the catalogue's commands. Masking them may lengthen the text, so it is cut
 * again.
 */
function logTailOf({ log_tail = '' }: BuilderReport): string {
  return textEnd(maskSecrets(textEnd(log_tail, MAX_LOG_TAIL)), MAX_LOG_TAIL);
}

/** @throws if the builder failed, built another library or version, or its packages cannot be recorded */
function builtLibrary({ input }: BuildStepContext, report: BuilderReport): BuiltLibrary {
  if (report.success !== true) {
    const reason = report.error ? `: ${maskSecrets(report.error)}` : '';
    throw failed(`the builder failed at stage ${report.stage}${reason}`, 'build_failed');
  }
  const { manifest } = report;
  if (manifest?.library !== input.libraryId || manifest.version !== input.version) {
    throw failed('the builder reports another library or version', 'build_failed');
  }
  return { checksum: manifest.checksum, packages: checkedPackages(manifest) };
}

function checkedPackages({ packages = [] }: BuilderManifest): string[] {
  try {
    return pinnedPackages(reportedPackages(packages));
  } catch (error) {
    throw failed(error instanceof Error ? error.message : String(error), 'build_failed');
  }
}

/** @throws if the builder can no longer report */
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

/** Fails harmlessly if the builder has powered off meanwhile. */
async function powerOff(context: BuildStepContext): Promise<void> {
  const { servers } = (await context.service()).compute;
  try {
    await servers.stop(requireState(context, 'serverId'));
  } catch (error) {
    context.logger.debug('The builder could not be powered off', { error });
  }
}

/** @throws if the build has exceeded its time limit */
function parkedUntil({ config, since }: BuildStepContext, intervals: number): ParkedError {
  const leftMs = since + config.timeLimits.buildSeconds * 1000 - Date.now();
  if (leftMs <= 0) throw failed('the builder did not finish within the time limit', 'build_timeout');
  return new ParkedError(Math.min(leftMs, intervals * config.jobs.pollIntervalMs));
}

function failed(reason: string, code: 'build_failed' | 'build_timeout'): GatewayError {
  const sentence = trimEndChars(reason, '. \t\r\n');
  return new GatewayError(502, code, `The library could not be built: ${sentence}.`);
}
