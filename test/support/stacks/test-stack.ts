import { runningStack, runningUrl } from '../../../scripts/running-stack.ts';
import { type Stack, type StackOptions, startStack } from '../../../scripts/stack.ts';
import { TOKEN_CACHE_SECONDS } from '../api/settings.ts';
import { freshKeyPrefix, testRedisUrl } from '../redis/test-redis.ts';
import { canShare, sharedStack } from './shared-stack.ts';

export interface TestLogin {
  username: string;
  password: string;
  projectName: string;
}

/** True when the suites run against a real cloud (`npm run test:cloud`). */
export function isRealCloud(): boolean {
  return Boolean(process.env.TEST_CLOUD_AUTH_URL);
}

/** A user of both the simulated and the real cloud; `demo` is not an administrator. */
export function testLogin(who: 'demo' | 'admin' | 'alice'): TestLogin {
  const variable = (name: string): string | undefined =>
    process.env[`TESTCLOUD_${who.toUpperCase()}_${name}`] || undefined;
  return {
    username: variable('USERNAME') ?? who,
    password: variable('PASSWORD') ?? `${who}-secret`,
    projectName: variable('PROJECT_NAME') ?? who,
  };
}

/** The service user of the gateway, in both clouds. */
export const serviceLogin: TestLogin = {
  username: 'gateway',
  password: 'gateway-secret',
  projectName: 'service',
};

/** The simulated cloud allows frequent polling. */
const QUICK_POLL_MS = 100;
/** No call to the simulated cloud takes longer, unless it is held. */
const LATE_CALL_SECONDS = 2;
/** The calls of the tests take less time on a real cloud. */
const REAL_LATE_CALL_SECONDS = 20;

/** The limits that suites would reach: they log in from one address, and create more than a person does. */
const UNLIMITED = Object.fromEntries(
  [
    ...['login', 'login_failures', 'login_failures_by_address', 'password', 'callback', 'build'],
    ...['instance_create', 'volume_create', 'file_storage_create', 'container_create'],
    ...['managed_cluster_create', 'lite_create', 'lite_scale', 'lite_health_check'],
  ].map((name) => [name, 0]),
);

/** Options for tests that inject faults: the simulated cloud, also under `npm run test:cloud`. */
export const simulatedCloud = { identityUrl: undefined, cloudsim: true } satisfies StackOptions;

export interface TestStackOptions extends StackOptions {
  /** A separate Redis that can be killed, instead of a key prefix in the Redis of the test run. */
  ownRedis?: boolean;
  /** False for a suite without jobs, which starts no worker by default. */
  startsJobs?: boolean;
  /** True for a suite that uses the processes or checks everything they do; see `sharedStack`. */
  own?: boolean;
}

/**
 * The whole gateway with the simulated cloud, with the real cloud under `npm run test:cloud`, or a running
 * gateway under `npm test -- --running`. Suites of a test process whose options permit it share one.
 * @throws NeedsOwnStackError if the running gateway cannot serve the suite
 */
export async function startTestStack(options: TestStackOptions = {}): Promise<Stack> {
  const { own = false, ...wanted } = options;
  const { startsJobs = true, ...needed } = wanted;
  const running = runningUrl();
  if (running !== null) return runningStack(running, needed);
  const isForeign = isRealCloud() && needed.cloudsim === true;
  if (!own && !isForeign && canShare(wanted)) return sharedStack(wanted, startOwnStack);
  return startOwnStack(wanted);
}

function startOwnStack({ startsJobs = true, ...needed }: Omit<TestStackOptions, 'own'>): Promise<Stack> {
  const { ownRedis = false, config = {}, ...rest } = { workers: startsJobs ? 1 : 0, ...needed };
  const redis = (config.redis ?? {}) as Record<string, unknown>;
  const jobs = (config.jobs ?? {}) as Record<string, unknown>;
  return startStack({
    ...(isRealCloud() ? { identityUrl: process.env.TEST_CLOUD_AUTH_URL, cloudsim: false } : {}),
    ...(ownRedis ? {} : { redisUrl: testRedisUrl() }),
    bundles: process.env.TEST_BUNDLES,
    ...rest,
    config: {
      ...config,
      jobs: {
        ...(isRealCloud()
          ? { late_call_seconds: REAL_LATE_CALL_SECONDS }
          : { late_call_seconds: LATE_CALL_SECONDS, poll_interval_ms: QUICK_POLL_MS }),
        ...jobs,
      },
      // A token is validated once, even in a suite that takes minutes: some count calls.
      session: { token_cache_seconds: TOKEN_CACHE_SECONDS, ...(config.session as Record<string, unknown>) },
      // Tests make due times come early, and runs begin then.
      auto_backup: { spread_seconds: 0, ...(config.auto_backup as Record<string, unknown>) },
      rate_limits: { ...UNLIMITED, ...(config.rate_limits as Record<string, unknown>) },
      redis: { key_prefix: freshKeyPrefix('stack'), ...redis },
    },
    env: { ...cloudVariables(), ...rest.env },
  });
}

/** Environment variables for a real cloud. */
function cloudVariables(): Record<string, string | undefined> {
  if (!isRealCloud()) return {};
  const names = [
    'GATEWAY_SERVICE_USERNAME',
    'GATEWAY_SERVICE_PASSWORD',
    'GATEWAY_SERVICE_PROJECT',
    'OS_REGION_NAME',
    'OS_INTERFACE',
    'OS_CACERT',
  ];
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}
