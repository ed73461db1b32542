import { evacuationProgress, type HostEvacuation } from '@gateway/jobs';
import type { BoundClient } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import type { Move } from '@gateway/resources';
import { announcer, defineStep, type StepContext } from '../../saga/index.ts';

export interface EvacuateHostContext {
  input: HostEvacuation;
  config: Config;
  /** The cloud with the rights of the administrator. */
  owner(): BoundClient;
  /** The lists of the instance's project show that it moves or has moved. Never throws. */
  showChange(instance: PlannedInstance): Promise<void>;
}

/** The host as the job has found it. */
interface FoundHost {
  /** As the compute service calls the process on the host. */
  serviceHost: string;
  serviceId: string;
  isUp: boolean;
  wasEnabled: boolean;
}

export interface PlannedInstance {
  id: string;
  name: string;
  projectId: string;
}

export interface InstanceMove {
  /**
   * `requested`: a request has been, or was about to be sent. It may take effect later, so there is no second
   * one before `jobs.late_call_seconds` have passed.
   */
  phase: 'requested' | 'moved' | 'stayed';
  /** Absent for an instance that nothing was requested for. */
  move?: Move;
  /** When it was requested, in milliseconds since the epoch. */
  at: number;
  /** The newest move from the host before the request: what comes later is its effect. */
  earlier: string | null;
  /** The service has responded that it begins. */
  isAccepted?: boolean;
  /** The request has been sent a second time, after the first can no longer take effect. */
  isRepeated?: boolean;
  /** The first of two requests has moved the instance once more, after the end of the job. */
  isLate?: boolean;
  /** Why the instance has stayed, or is in an error state elsewhere. */
  reason?: string;
}

export interface StayedInstance {
  id: string;
  name: string;
  reason: string;
}

export interface EvacuateHostState {
  host: FoundHost;
  /** What the job moves, as the preview shows it. */
  planned: PlannedInstance[];
  /** By the id of the instance. */
  moves: Record<string, InstanceMove>;
  /** What was still on the host at the end, or is broken. */
  left: StayedInstance[];
}

export type EvacuateHostStepContext = StepContext<EvacuateHostContext, EvacuateHostState>;

export const defineEvacuationStep = defineStep<EvacuateHostContext, EvacuateHostState>();

/** The progress update of a step's beginning. */
export const announce = announcer(evacuationProgress);
