import { createInstanceSteps } from '../../../apps/worker/src/sagas/create-instance/index.ts';
import type { Act, Kind, StepEntry } from '../kind.ts';
import type { Rig, StartedJob } from '../rig.ts';
import { libraries } from '../rig-stack.ts';

/** Calls of creations, with the service and operation names of the simulated cloud. */
export const acts = {
  /** The request reads what it names; only the job reads the routers of the network. */
  routeRead: { service: 'network', operation: 'routers.list', isRead: true },
  share: { service: 'shared-file-system', operation: 'shares.create' },
  port: { service: 'network', operation: 'ports.create' },
  accessRule: { service: 'shared-file-system', operation: 'shares.allow_access' },
  bootVolume: { service: 'block-storage', operation: 'volumes.create' },
  upperVolume: { service: 'block-storage', operation: 'volumes.create', nth: 2 },
  exportLocations: { service: 'shared-file-system', operation: 'shares.export_locations', isRead: true },
  server: { service: 'compute', operation: 'servers.create' },
  attachment: { service: 'compute', operation: 'volume_attachments.create' },
  floatingIp: { service: 'network', operation: 'floating_ips.create' },
} satisfies Record<string, Act>;

/** A creation with a library on a prebuilt CephFS share. Other kinds override parts. */
export const layered = {
  entries: {
    plan: [acts.routeRead],
    'dynamic-share': 'not taken',
    port: 'not taken',
    'share-access': [acts.accessRule],
    'boot-volume': [acts.bootVolume],
    'upper-volume': [acts.upperVolume],
    'user-data': [acts.exportLocations],
    'additional-volumes': 'not taken',
    server: [acts.server],
    'attach-upper-volume': [acts.attachment],
    'floating-ip': [acts.floatingIp],
  },
  completed: { servers: 1, volumes: 2, ports: 1, attachments: 2, floating_ips: 1, access_rules: 1 },
} satisfies Pick<Kind, 'entries' | 'completed'>;

type Library = keyof typeof libraries | null;

/** Volumes in addition to those of every creation. */
interface Volumes {
  additionalVolumeIds: string[];
  newVolumes: { name: string; sizeGb: number }[];
}

const NO_VOLUMES: Volumes = { additionalVolumeIds: [], newVolumes: [] };

interface CreationSpec {
  name: string;
  library: Library;
  entries: Record<string, StepEntry>;
  completed: Record<string, number>;
  runsSlowFaults?: boolean;
}

export function creationKind(spec: CreationSpec): Kind {
  const { name, library, entries, completed, runsSlowFaults = false } = spec;
  return {
    name,
    jobType: 'instance.create',
    steps: createInstanceSteps(NO_VOLUMES).map((step) => step.name),
    entries,
    completed,
    runsSlowFaults,
    isCancellable: true,
    prepare: async () => '',
    start: (rig, _subject, requestId) => startCreation(rig, library, requestId),
  };
}

export async function startCreation(
  rig: Rig,
  library: Library,
  requestId: string,
  more: object = {},
): Promise<StartedJob> {
  const request = {
    name: 'faults',
    image_id: rig.imageId,
    flavor_id: rig.flavorId,
    boot_volume_size_gb: 1,
    ...(library !== null && { libraries: [libraries[library].id] }),
    ...more,
  };
  const stream = await rig.gateway(0).createInstance(request, requestId);
  return { jobId: stream.headers.get('x-job-id') ?? '', stream };
}
