import {
  type Leftover,
  type LibraryVerdict,
  type LibraryVerifying,
  verificationProgress,
} from '@gateway/jobs';
import type { ExpectedPackage, LibraryLayer, VerifierReport } from '@gateway/libraries';
import { announcer, defineStep, type StepContext } from '../../saga/index.ts';
import type { LibraryMachineContext, LibraryMachineState } from '../library-machines/context.ts';
import type { MachinePlan } from '../library-machines/machine-resources.ts';
import type { CreatedPort } from '../resources/created-port.ts';
import type { ShareAccess } from '../resources/share-access-step.ts';

export type VerifyLibraryContext = LibraryMachineContext<LibraryVerifying, VerifierReport>;

/** Decided before anything is created. */
export interface VerificationPlan extends MachinePlan {
  /** The lowest first; the last one is the share to verify. */
  layers: LibraryLayer[];
  packages: ExpectedPackage[];
}

/** The results of the steps. Stored in the journal, so it contains no secrets. */
export interface VerifyLibraryState extends LibraryMachineState {
  plan: VerificationPlan;
  port: CreatedPort;
  accesses: ShareAccess[];
  upperVolumeId: string;
  /** Set once the verifier has reported. */
  verdict: LibraryVerdict | null;
  leftovers: Leftover[];
}

export type VerifyStepContext = StepContext<VerifyLibraryContext, VerifyLibraryState>;

export const defineVerifyStep = defineStep<VerifyLibraryContext, VerifyLibraryState>();

/** The progress update of a step's beginning. */
export const announce = announcer(verificationProgress);

/** The name of a resource of the job: the library's id for readers, and the job's id for the search. */
export function nameFor({ input, jobId }: VerifyLibraryContext, what: string): string {
  return `verify-${input.libraryId}-${what}-${jobId}`;
}

/** A share grants access by address, so the address must be known before the server is created. */
export function needsPort(plan: VerificationPlan): boolean {
  return plan.layers.some(({ protocol }) => protocol === 'NFS');
}
