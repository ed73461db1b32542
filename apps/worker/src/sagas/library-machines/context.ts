import type { CallbackReport, LibraryBuilding } from '@gateway/jobs';
import type { BoundClient, ProjectClient } from '@gateway/openstack';
import type { Config, Logger } from '@gateway/platform';
import type { StepContext } from '../../saga/index.ts';
import type { ResourceContext } from '../resources/resource-step.ts';

/**
 * The input and dependencies of the steps of sagas whose machine builds or verifies a library. Everything
 * that such a job creates belongs to the service user's project.
 */
export interface LibraryMachineContext<Input extends LibraryBuilding, Report> extends ResourceContext {
  jobId: string;
  /** The project of the administrator who requested the job. */
  projectId: string;
  input: Input;
  config: Config;
  logger: Logger;
  /** @throws 503 if no service user is configured */
  service(): Promise<BoundClient>;
  /** The same rights, for finding and removing resources. */
  remover(): Promise<ProjectClient>;
  serviceProjectId(): Promise<string>;
  /** The channel of the machine's reports. */
  callback: {
    /** Issues a token for a new machine. */
    open(lifetimeSeconds: number): Promise<string>;
    read(): Promise<CallbackReport<Report> | null>;
    close(): Promise<void>;
  };
}

/** A machine's latest report, with its number. */
interface LastReport {
  number: number;
  stage: string;
  progress: number;
  logTail: string;
}

/** The results that the shared steps use. */
export interface LibraryMachineState {
  bootVolumeId: string;
  serverId: string;
  reported: LastReport;
}

/** The context of a shared step, whatever else the saga's state contains. */
export type MachineStepContext<Report> = StepContext<
  LibraryMachineContext<LibraryBuilding, Report>,
  LibraryMachineState
>;
