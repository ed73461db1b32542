import { needs, onlyAddresses } from '../../../scripts/running-stack.ts';
import type { ServerProcess } from '../../../scripts/server-process.ts';
import type { Stack, StackOptions } from '../../../scripts/stack.ts';
import { testLibraries } from '../projects/prepared-cloud.ts';
import type { TestStackOptions } from './test-stack.ts';

/** What the shared stack has besides the defaults. Suites that do not ask for it must not notice it. */
const SHARED = {
  apis: 2,
  cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0.05' },
  config: {
    libraries: testLibraries,
    file_storage: { share_type: { nativefs: 'cephfs', nfs: 'default' } },
    instances: { upper_volume_size_gb: 1, dynamic_share_size_gb: 1 },
  },
} satisfies StackOptions;

let shared: Promise<Stack> | null = null;

/** Whether the shared stack has what the options ask for. */
export function canShare({ startsJobs: _, ...options }: TestStackOptions): boolean {
  return needs(options, SHARED).length === 0;
}

/**
 * The stack that the suites of this test process share. `start` is called for the first of them, and further
 * processes start when a suite needs them. Suites use its addresses; their `stop` keeps it for the next
 * suite.
 */
export async function sharedStack(
  { apis = 1, workers, startsJobs = true }: TestStackOptions,
  start: (options: StackOptions) => Promise<Stack>,
): Promise<Stack> {
  shared ??= start({ ...SHARED, apis: 1, workers: 0 });
  const stack = await shared;
  while (stack.apis.length < apis) await stack.addApi();
  const isWorking = startsJobs || workers !== undefined;
  if (isWorking && stack.workers.length === 0) await stack.addWorker();
  return onlyAddresses<Stack>({
    url: stack.url,
    identityUrl: stack.identityUrl,
    apis: stack.apis.map(({ name, url }) => onlyAddresses<ServerProcess>({ name, url })),
    cloudsim: stack.cloudsim && onlyAddresses<ServerProcess>({ url: stack.cloudsim.url }),
    stop: async () => {},
  });
}

/** Stops the shared stack, if a suite has started it. */
export async function stopSharedStack(): Promise<void> {
  const stack = await shared;
  shared = null;
  await stack?.stop();
}
