import { isDeepStrictEqual } from 'node:util';
import type { ServerProcess } from './server-process.ts';
import type { Stack, StackOptions } from './stack.ts';

/** A suite cannot run against a running gateway, for the reason in the message: its tests are skipped. */
export class NeedsOwnStackError extends Error {}

/** The gateway of `npm test -- --running <url>`; null if suites start processes. */
export function runningUrl(): string | null {
  return process.env.TEST_RUNNING_URL || null;
}

/**
 * The variables with which suites find a gateway that `npm start` runs with its simulated cloud.
 * @throws when the gateway or the cloud does not respond
 */
export async function runningVariables(url: string): Promise<Record<string, string>> {
  const gateway = url.replace(/\/$/, '');
  const cloudsim = `http://127.0.0.1:${process.env.CLOUDSIM_PORT || 8100}`;
  await assertUp(`${gateway}/api/health`, 'start the gateway with `npm start`');
  await assertUp(`${cloudsim}/identity/v3`, 'set CLOUDSIM_PORT to the port of its simulated cloud');
  return { TEST_RUNNING_URL: gateway, TEST_RUNNING_CLOUDSIM_URL: cloudsim };
}

/**
 * A gateway that somebody else has started and stops.
 * @throws NeedsOwnStackError if the gateway lacks what the options require, or when its processes are used
 */
export function runningStack(url: string, options: StackOptions): Stack {
  const [need] = needs(options);
  if (need !== undefined) throw new NeedsOwnStackError(need);
  const cloudsim = process.env.TEST_RUNNING_CLOUDSIM_URL ?? '';
  return onlyAddresses<Stack>({
    url,
    identityUrl: `${cloudsim}/identity/v3`,
    cloudsim: onlyAddresses<ServerProcess>({ url: cloudsim }),
    stop: async () => {},
  });
}

/** What a suite may use of processes that others use. Anything else throws a NeedsOwnStackError. */
export function onlyAddresses<T extends object>(known: Partial<T>): T {
  return new Proxy(known as T, {
    get(target, name) {
      // A promise reads `then` of what it resolves to.
      if (name in target || name === 'then') return Reflect.get(target, name);
      throw new NeedsOwnStackError(`the suite uses ${String(name)} of its processes`);
    },
  });
}

/** What the options require of a stack besides what it has. */
export function needs(
  { apis = 1, workers = 1, config = {}, cloudsim = true, ...rest }: StackOptions,
  has: StackOptions = {},
): string[] {
  const { env = {}, cloudsimEnv = {}, ...others } = rest;
  const sections = (has.config ?? {}) as Record<string, Record<string, unknown> | undefined>;
  const settings = Object.entries(config).flatMap(([section, values]) => {
    if (isDeepStrictEqual(values, sections[section])) return [];
    if (Array.isArray(values)) return [`the setting ${section}`];
    return Object.entries(values as object)
      .filter(([key, value]) => !isDeepStrictEqual(value, sections[section]?.[key]))
      .map(([key]) => `the setting ${section}.${key}`);
  });
  const variables = Object.entries({ ...env, ...cloudsimEnv }).filter(
    ([name, value]) => has.cloudsimEnv?.[name] !== value,
  );
  return [
    ...(apis <= (has.apis ?? 1) ? [] : [`${apis} api processes`]),
    ...(workers === 1 ? [] : [`${workers} worker processes`]),
    ...(cloudsim ? [] : ['another cloud']),
    ...settings,
    ...variables.map(([name]) => `the variable ${name}`),
    ...Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [`the option ${name}`])),
  ].map((need) => `the suite needs ${need}`);
}

async function assertUp(url: string, remedy: string): Promise<void> {
  const status = await fetch(url).then(
    (response) => response.status,
    () => 'no response',
  );
  if (status !== 200) throw new Error(`${url}: ${status}; ${remedy}`);
}
