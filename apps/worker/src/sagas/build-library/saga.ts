import { buildProgress, type Leftover, type LibraryBuilding } from '@gateway/jobs';
import type { BuilderReport, ShareProtocol } from '@gateway/libraries';
import type { ShareFields } from '@gateway/resources';
import { announcer, defineStep, type StepContext } from '../../saga/index.ts';
import type { LibraryMachineContext, LibraryMachineState } from '../library-machines/context.ts';
import type { MachinePlan } from '../library-machines/machine-resources.ts';
import type { CreatedPort } from '../resources/created-port.ts';

export type BuildLibraryContext = LibraryMachineContext<LibraryBuilding, BuilderReport>;

/** Decided before anything is created. */
export interface BuildPlan extends MachinePlan {
  protocol: ShareProtocol;
  share: ShareFields;
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
export interface BuildLibraryState extends LibraryMachineState {
  plan: BuildPlan;
  shareId: string;
  port: CreatedPort;
  accessRuleId: string;
  /** Set once the builder has reported success. */
  built: BuiltLibrary | null;
  leftovers: Leftover[];
}

export type BuildStepContext = StepContext<BuildLibraryContext, BuildLibraryState>;

export const defineBuildStep = defineStep<BuildLibraryContext, BuildLibraryState>();

/** The progress update of a step's beginning. */
export const announce = announcer(buildProgress);

/** The name of a resource of the build: the library's id for readers, and the job's id for the search. */
export function nameFor({ input, jobId }: BuildLibraryContext, what: string): string {
  return `build-${input.libraryId}-${what}-${jobId}`;
}
