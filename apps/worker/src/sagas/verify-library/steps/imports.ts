import type { GatewayError } from '@gateway/core';
import type { LibraryVerdict } from '@gateway/jobs';
import type { VerifierReport } from '@gateway/libraries';
import { requireState } from '../../../saga/index.ts';
import { machineFailure, reportedReason } from '../../library-machines/machine-failure.ts';
import { reportStep } from '../../library-machines/report-step.ts';
import {
  announce,
  type VerifyLibraryContext,
  type VerifyLibraryState,
  type VerifyStepContext,
} from '../saga.ts';
import { verdictOf } from '../verdict.ts';

const MACHINE = 'the verifier';

const STAGES = {
  libraries: { progress: 38, message: 'The verifier mounts the file storage.' },
  layers: { progress: 40, message: 'The verifier mounts the file storage.' },
  upper_disk: { progress: 45, message: 'The verifier prepares its disk.' },
  workspace: { progress: 48, message: 'The verifier combines the layers.' },
  imports: { progress: 50, message: 'The verifier imports the packages.' },
  done: { progress: 85, message: 'The packages have been imported.' },
};

/** Waits, parked, until the verifier has reported and powered off. A broken library is a result. */
export const importPackages = reportStep<
  VerifierReport,
  VerifyLibraryContext,
  VerifyLibraryState,
  LibraryVerdict
>({
  name: 'imports',
  beginUpdate: announce('PACKAGES_IMPORTING', 'The verifier is starting.'),
  key: 'verdict',
  machine: MACHINE,
  stages: STAGES,
  resultOf: verdict,
  failure: (reason, isTimeout) => failed(reason, isTimeout ? 'verification_timeout' : 'verification_failed'),
});

/** @throws if the machine failed before it used the library */
function verdict(context: VerifyStepContext, report: VerifierReport): LibraryVerdict {
  const found = verdictOf(report, requireState(context, 'plan').packages);
  if (found !== null) return found;
  throw failed(reportedReason(MACHINE, report), 'verification_failed');
}

function failed(reason: string, code: 'verification_failed' | 'verification_timeout'): GatewayError {
  return machineFailure('verified', reason, code);
}
