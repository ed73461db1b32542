import { type ClusterCredentialReplacement, clusterCredentialProgress, type Leftover } from '@gateway/jobs';
import type { LiteCluster } from '@gateway/lite';
import { announcer, defineStep, type StepContext } from '../../saga/index.ts';
import type { LiteClusterContext } from '../lite-clusters/context.ts';

export interface ReplaceLiteCredentialContext extends LiteClusterContext {
  input: ClusterCredentialReplacement;
}

/** The results of the steps. Stored in the journal, so it contains no secrets. */
export interface ReplaceLiteCredentialState {
  /** The credential that the cluster had, with its user. */
  replaced: NonNullable<LiteCluster['credential']>;
  credentialId: string;
  /** Whether the cluster may contain the new credential. */
  isWritten: boolean;
  /** Whether programs may work with the new credential. */
  isRestarted: boolean;
  /** The replaced credential, if it could not be deleted. */
  left: Leftover[];
}

export type ReplaceLiteCredentialStepContext = StepContext<
  ReplaceLiteCredentialContext,
  ReplaceLiteCredentialState
>;

export const defineReplacementStep = defineStep<ReplaceLiteCredentialContext, ReplaceLiteCredentialState>();

/** The progress update of a step's beginning. */
export const announce = announcer(clusterCredentialProgress);
