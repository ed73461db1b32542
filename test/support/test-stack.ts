import { type Stack, type StackOptions, startStack } from '../../scripts/stack.ts';
import { freshKeyPrefix, testRedisUrl } from './redis.ts';

export interface TestLogin {
  username: string;
  password: string;
  projectName: string;
}

/** True when the suites run against a real cloud (`npm run test:cloud`). */
export function isRealCloud(): boolean {
  return Boolean(process.env.TEST_CLOUD_AUTH_URL);
}

/** A log-in that both the simulated and the real cloud know; `demo` has no administrator's role. */
export function testLogin(who: 'demo' | 'admin' | 'alice'): TestLogin {
  const variable = (name: string): string | undefined =>
    process.env[`TESTCLOUD_${who.toUpperCase()}_${name}`] || undefined;
  return {
    username: variable('USERNAME') ?? who,
    password: variable('PASSWORD') ?? `${who}-secret`,
    projectName: variable('PROJECT_NAME') ?? who,
  };
}

/** The gateway's own user, in both. */
export const serviceLogin: TestLogin = {
  username: 'gateway',
  password: 'gateway-secret',
  projectName: 'service',
};

/** The simulated cloud bears being asked often. */
const QUICK_POLL_MS = 100;
/** No call of a test takes longer, unless it is held. */
const LATE_CALL_SECONDS = 2;
/** A real cloud works on a call for as long as it likes; those of the tests are short. */
const REAL_LATE_CALL_SECONDS = 20;

/** For a test that tells the cloud to misbehave: the simulated one, also under `npm run test:cloud`. */
export const simulatedCloud = { identityUrl: undefined, cloudsim: true } satisfies StackOptions;

/**
 * The whole gateway over the simulated cloud, or over the real one under `npm run test:cloud`. It shares the run's
 * Redis under a key prefix of its own, or has a Redis of its own to kill with `ownRedis`.
 */
export function startTestStack(options: StackOptions & { ownRedis?: boolean } = {}): Promise<Stack> {
  const { ownRedis = false, config = {}, ...rest } = options;
  const redis = (config.redis ?? {}) as Record<string, unknown>;
  const jobs = (config.jobs ?? {}) as Record<string, unknown>;
  return startStack({
    ...(isRealCloud() ? { identityUrl: process.env.TEST_CLOUD_AUTH_URL, cloudsim: false } : {}),
    ...(ownRedis ? {} : { redisUrl: testRedisUrl() }),
    ...rest,
    config: {
      ...config,
      jobs: {
        ...(isRealCloud()
          ? { late_call_seconds: REAL_LATE_CALL_SECONDS }
          : { late_call_seconds: LATE_CALL_SECONDS, poll_interval_ms: QUICK_POLL_MS }),
        ...jobs,
      },
      redis: { key_prefix: freshKeyPrefix('stack'), ...redis },
    },
    env: { ...cloudVariables(), ...rest.env },
  });
}

/** What a gateway before a real cloud needs beside its address. */
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
