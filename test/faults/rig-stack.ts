import type { Stack } from '../../scripts/stack.ts';
import { startTestStack } from '../support/stacks/test-stack.ts';

export interface RigOptions {
  /** Factor on the delays of the simulated cloud; with 1 a server takes two seconds. */
  delayScale?: number;
  /** The number of processes. */
  apis?: number;
  workers?: number;
  /** The folders of the releases that the processes are started from, in turn. */
  sources?: readonly string[];
  /** The `late_call_seconds`: how long a run waits for late calls of a killed run. */
  lateCallSeconds?: number;
}

/** Libraries by source: a CephFS share, an NFS share, or none. */
export const libraries = {
  /** Not built yet. */
  unbuilt: { id: 'unbuilt', version: '1' },
  native: { id: 'native', version: '1' },
  nfs: { id: 'addressed', version: '1' },
  dynamic: { id: 'installed', version: '1' },
};

export const KEY_PREFIX = 'faults:';

/** The upstream timeout; long enough for a busy machine. */
const UPSTREAM_SECONDS = 3;
/** As fast as possible with all intermediate states visible. */
const FAST_DELAY_SCALE = 0.05;
/** Long enough for a control node whose reports meet with a killed api. */
const REPORT_SECONDS = 30;

/** The whole system, whose machines report to the public URL. */
export function startRigStack(
  publicUrl: string,
  { apis = 2, workers = 3, delayScale = FAST_DELAY_SCALE, lateCallSeconds = 2, sources }: RigOptions,
): Promise<Stack> {
  return startTestStack({
    ownRedis: true,
    sources,
    apis,
    workers,
    cloudsimEnv: { CLOUDSIM_DELAY_SCALE: String(delayScale) },
    env: { GATEWAY_PUBLIC_URL: publicUrl },
    config: {
      redis: { key_prefix: KEY_PREFIX },
      jobs: {
        lock_seconds: 3,
        poll_interval_ms: 50,
        sweep_seconds: 2,
        late_call_seconds: lateCallSeconds,
      },
      time_limits: {
        upstream_request_seconds: UPSTREAM_SECONDS,
        undo_seconds: 30,
        job_accept_seconds: 10,
        lite_callback_seconds: REPORT_SECONDS,
        shutdown_seconds: 10,
      },
      lite: {
        floating_ip: true,
        server_volume_size_gb: 1,
        agent_volume_size_gb: 1,
        k3s: { version: 'v1.35.4+k3s1', upgrade_versions: ['v1.36.1+k3s1'] },
        plugins: { cloud_controller_enabled: true, block_csi_enabled: true, secrets_kms_enabled: true },
      },
      libraries: Object.values(libraries).map((library) => ({
        ...library,
        name: library.id,
        packages: ['numpy'],
        depends_on: [],
      })),
    },
  });
}
