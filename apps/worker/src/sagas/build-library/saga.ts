import type { Config } from '@gateway/config';
import type { BuildMessage, CallbackReport, Leftover, LibraryBuilding } from '@gateway/jobs';
import type { BuilderReport, ShareProtocol } from '@gateway/libraries';
import type { BoundClient, ProjectClient } from '@gateway/openstack';
import { defineStep, type ProgressUpdate, type StepContext } from '@gateway/saga';
import type { Logger } from '@gateway/telemetry';
import type { CreatedPort } from '../resources/created-port.ts';
import type { ResourceContext } from '../resources/owner.ts';

/**
 * The input and dependencies of the steps. Everything that a build creates belongs to the service user's
 * project.
 */
export interface BuildLibraryContext extends ResourceContext {
  jobId: string;
  /** The project of the administrator who requested the build. */
  projectId: string;
  input: LibraryBuilding;
  config: Config;
  logger: Logger;
  /** @throws 503 if no service user is configured */
  service(): Promise<BoundClient>;
  /** The same rights, for finding and removing resources. */
  remover(): Promise<ProjectClient>;
  serviceProjectId(): Promise<string>;
  /** The channel of the builder's reports. */
  callback: {
    /** Issues a token for a new builder. */
    open(lifetimeSeconds: number): Promise<string>;
    read(): Promise<CallbackReport<BuilderReport> | null>;
    close(): Promise<void>;
  };
}

/** Decided before anything is created. */
export interface BuildPlan {
  protocol: ShareProtocol;
  imageId: string;
  flavorId: string;
  networkId: string;
  bootVolumeSizeGb: number;
  /** pip constraints. */
  constraints: string[];
}

/** The contents of the share, as reported by the builder. */
export interface BuiltLibrary {
  checksum: string;
  /** As `numpy==2.2.1`, sorted by name. */
  packages: string[];
}

/** The results of the steps. Stored in the journal, so it contains no secrets. */
export interface BuildLibraryState {
  plan: BuildPlan;
  shareId: string;
  port: CreatedPort;
  accessRuleId: string;
  bootVolumeId: string;
  serverId: string;
  /** The builder's latest report, with its number. */
  reported: { number: number; stage: string; progress: number; logTail: string };
  /** Set once the builder has reported success. */
  built: BuiltLibrary | null;
  leftovers: Leftover[];
}

export type BuildStepContext = StepContext<BuildLibraryContext, BuildLibraryState>;

export const defineBuildStep = defineStep<BuildLibraryContext, BuildLibraryState>();

/** The progress update of a step's beginning. */
export function announce(step: BuildMessage['step'], progress: number, message: string): ProgressUpdate {
  return { step, progress, message };
}

/** The name of a resource of the build: the library's id for readers, and the job's id for the search. */
export function nameFor({ input, jobId }: BuildLibraryContext, what: string): string {
  return `build-${input.libraryId}-${what}-${jobId}`;
}
