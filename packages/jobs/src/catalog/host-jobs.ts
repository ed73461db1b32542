import { CLEANUP, jobType } from './job-type.ts';
import type { ProgressMessage } from './progress-message.ts';

/** The move of all instances away from a host, requested by an administrator. */
export interface HostEvacuation {
  hypervisorId: string;
  /** Why the host is disabled, as the compute service shows it. */
  disabledReason: string;
  /** The administrator has said that the host is off: its instances may be built anew elsewhere. */
  isHostOff: boolean;
}

export const evacuationProgress = {
  HOST_DISABLING: 2,
  INSTANCES_LISTING: 5,
  /** When the first instance begins; each that has ended adds its share. */
  INSTANCES_MOVING: 10,
  EMPTINESS_CHECKING: 95,
  COMPLETED: 100,
  FAILED: -1,
} as const;

interface MovingInstance {
  id: string;
  name: string;
}

/** One event of an evacuation. */
export interface EvacuationMessage extends ProgressMessage {
  step: keyof typeof evacuationProgress;
  hypervisor_id: string;
  /** Of the listed instances; null before the list. */
  total: number | null;
  moved: number;
  /** On their way. */
  moving: MovingInstance[];
  /** Those that could not be moved so far. */
  stayed: (MovingInstance & { reason: string })[];
  error: string | null;
}

export const hostJobs = {
  'host.evacuate': jobType<HostEvacuation, EvacuationMessage>({ ...CLEANUP, resourceType: 'hypervisor' }),
};
