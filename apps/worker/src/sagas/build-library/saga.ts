import type { Config } from '@gateway/config';
import type { BuildMessage, CallbackReport, Leftover, LibraryBuilding } from '@gateway/jobs';
import type { ShareProtocol } from '@gateway/libraries';
import type { BoundClient } from '@gateway/openstack';
import { defineStep, type ProgressUpdate, type StepContext } from '@gateway/saga';
import type { Logger } from '@gateway/telemetry';
import type { MadePort } from '../resources/made-port.ts';
import type { BuilderReport } from './report.ts';

/** What the steps of a build work with. All that a build makes belongs to the project of the gateway's own user. */
export interface BuildLibraryContext {
  jobId: string;
  /** Of the administrator who asked for the build. */
  projectId: string;
  input: LibraryBuilding;
  config: Config;
  logger: Logger;
  /** @throws 503 when the gateway has no user of its own */
  service(): Promise<BoundClient>;
  serviceProjectId(): Promise<string>;
  /** How the builder reports back. */
  callback: {
    /** A token for a builder that is about to be made, good for so long. */
    open(lifetimeSeconds: number): Promise<string>;
    read(): Promise<CallbackReport<BuilderReport> | null>;
    close(): Promise<void>;
  };
}

/** What was decided before anything was made. */
export interface BuildPlan {
  protocol: ShareProtocol;
  imageId: string;
  flavorId: string;
  networkId: string;
  bootVolumeSizeGb: number;
}

/** What the steps leave behind for each other; it stands in the journal, so there is no secret in it. */
export interface BuildLibraryState {
  plan: BuildPlan;
  shareId: string;
  port: MadePort;
  accessRuleId: string;
  bootVolumeId: string;
  serverId: string;
  /** What the builder has told last; the number is the report's. */
  reported: { number: number; stage: string; progress: number; logTail: string };
  /** Once the builder has told that all is installed. */
  checksum: string | null;
  leftovers: Leftover[];
}

export type BuildStepContext = StepContext<BuildLibraryContext, BuildLibraryState>;

export const defineBuildStep = defineStep<BuildLibraryContext, BuildLibraryState>();

/** What is told when a step begins. */
export function announce(step: BuildMessage['step'], progress: number, message: string): ProgressUpdate {
  return { step, progress, message };
}

/** The name of something made for the build: the library's for people to recognise, the job's id to find it by. */
export function nameFor({ input, jobId }: BuildLibraryContext, what: string): string {
  return `build-${input.libraryId}-${what}-${jobId}`;
}
