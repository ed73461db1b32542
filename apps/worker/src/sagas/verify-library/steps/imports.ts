import { GatewayError, trimEndChars } from '@gateway/core';
import { type LibraryVerdict, verificationProgress } from '@gateway/jobs';
import type { VerifierReport } from '@gateway/libraries';
import { requireState } from '@gateway/saga';
import { maskSecrets } from '@gateway/telemetry';
import { reportStep } from '../../library-machines/report-step.ts';
import {
  announce,
  type VerifyLibraryContext,
  type VerifyLibraryState,
  type VerifyStepContext,
} from '../saga.ts';
import { stageProgress } from '../stage-progress.ts';
import { verdictOf } from '../verdict.ts';

/** Waits, parked, until the verifier has reported and powered off. A broken library is a result. */
export const importPackages = reportStep<
  VerifierReport,
  VerifyLibraryContext,
  VerifyLibraryState,
  LibraryVerdict
>({
  name: 'imports',
  beginUpdate: announce(
    'PACKAGES_IMPORTING',
    verificationProgress.PACKAGES_IMPORTING,
    'The verifier is starting.',
  ),
  key: 'verdict',
  machine: 'the verifier',
  progressOf: stageProgress,
  resultOf: verdict,
  failure: (reason, isTimeout) => failed(reason, isTimeout ? 'verification_timeout' : 'verification_failed'),
});

/** @throws if the machine failed before it used the library */
function verdict(context: VerifyStepContext, report: VerifierReport): LibraryVerdict {
  const found = verdictOf(report, requireState(context, 'plan').packages);
  if (found !== null) return found;
  const reason = report.error ? `: ${maskSecrets(report.error)}` : '';
  throw failed(`the verifier failed at stage ${report.stage}${reason}`, 'verification_failed');
}

function failed(reason: string, code: 'verification_failed' | 'verification_timeout'): GatewayError {
  const sentence = trimEndChars(reason, '. \t\r\n');
  return new GatewayError(502, code, `The library could not be verified: ${sentence}.`);
}
