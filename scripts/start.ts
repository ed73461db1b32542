import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printable } from '@gateway/core';
import { demonstrateInstance } from './demo/instance.ts';
import { demonstrateCluster } from './demo/lite.ts';
import { freePortNear, isPortFree } from './free-port.ts';
import { isNoteworthy, readableLine } from './log-lines.ts';
import { redisProcessUsing } from './redis.ts';
import { type Stack, startStack } from './stack.ts';
import { dataFolder, readStartSettings, type StartSettings } from './start-settings.ts';
import { simulatedLogins, tryItBlock } from './try-it.ts';

/**
 * npm start                   starts the gateway with all it needs, until Ctrl-C
 * npm start -- --demo         the same, but creates an instance, shows it and exits
 * npm start -- --demo lite    creates a Kubernetes cluster, scales it, deletes it and exits
 */
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { demo: { type: 'boolean', default: false } },
});

const demonstrations: Record<string, typeof demonstrateInstance> = {
  instance: demonstrateInstance,
  lite: demonstrateCluster,
};

/**
 * Enough to explain why a process did not start; `npm start` prints other lines at once. Thousands of
 * stored lines would survive each young-generation garbage collection, and the heap would grow to several
 * times the rest of this process.
 */
const maxLines = 50;

process.exitCode = await main().catch((error: unknown) => {
  print(`npm start: ${error instanceof Error ? error.message : error}`);
  return 1;
});

async function main(): Promise<number> {
  const demonstrate = chooseDemonstration();
  const stopRequested = Promise.withResolvers<'stop'>();
  // npm forwards the signal that the terminal has already sent, so only the first signal counts.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => stopRequested.resolve('stop'));
  let reload = () => stopRequested.resolve('stop');
  process.on('SIGHUP', () => reload());

  const startedAt = performance.now();
  const settings = readStartSettings();
  await choosePorts(settings);
  const redisDir = join(dataFolder, redisFolder(settings));
  // The demonstration must not use the data of a running gateway, nor a stored cloud without
  // the jobs of its Redis.
  const usesData = !flags.demo || (settings.redisUrl === null && redisProcessUsing(redisDir) === undefined);
  const stack = await startStack({
    ports: settings.ports,
    identityUrl: settings.identityUrl ?? undefined,
    redisUrl: settings.redisUrl ?? undefined,
    redisDir: usesData ? redisDir : undefined,
    cloudsimEnv: usesData
      ? { CLOUDSIM_DATA_DIR: process.env.CLOUDSIM_DATA_DIR || join(dataFolder, 'cloudsim') }
      : {},
    inheritSettings: true,
    env: settings.env,
    restarts: !flags.demo,
    onLine: showLine,
    maxLines,
  });
  // A terminal sends a SIGHUP when it is closed.
  if (!process.stdout.isTTY) {
    reload = () => [...stack.apis, ...stack.workers].forEach((child) => void child.kill('SIGHUP'));
  }
  try {
    print(`The gateway is up after ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${stack.url}`);
    return flags.demo
      ? await runDemonstration(demonstrate, stack, settings, stopRequested.promise)
      : await serve(stack, settings, stopRequested.promise);
  } finally {
    print('Stopping');
    await stack.stop();
    print('Stopped');
  }
}

/** The records of one cloud mean nothing in another, whose gateway refuses to start with them. */
function redisFolder({ identityUrl }: StartSettings): string {
  return identityUrl !== null && URL.canParse(identityUrl)
    ? `redis-${new URL(identityUrl).hostname}`
    : 'redis';
}

/**
 * @throws for unknown demonstrations
 */
function chooseDemonstration(): typeof demonstrateInstance {
  const [name = 'instance', ...others] = positionals;
  const demonstrate = demonstrations[name];
  const isValid = others.length === 0 && (flags.demo || positionals.length === 0);
  if (demonstrate !== undefined && isValid) return demonstrate;
  throw new Error(`use --demo with one of ${Object.keys(demonstrations).join(', ')}`);
}

/** Runs until a stop signal, or until a process exits unexpectedly. */
async function serve(stack: Stack, settings: StartSettings, stopRequested: Promise<'stop'>): Promise<number> {
  print(introduction(stack, settings));
  const end = await Promise.race([stopRequested, stack.exitedUnexpectedly]);
  if (end === 'stop') return 0;
  print(`npm start: ${end}`);
  return 1;
}

async function runDemonstration(
  demonstrate: typeof demonstrateInstance,
  stack: Stack,
  settings: StartSettings,
  stopRequested: Promise<'stop'>,
): Promise<number> {
  const { OS_USERNAME: username, OS_PASSWORD: password } = process.env;
  const login =
    settings.identityUrl === null || !username || !password ? simulatedLogins.demo : { username, password };
  const demo = demonstrate(stack.url, login, print).then(() => 'done' as const);
  const end = await Promise.race([demo, stopRequested, stack.exitedUnexpectedly]);
  if (end === 'done') return 0;
  throw new Error(end === 'stop' ? 'stopped before the demonstration was over' : end);
}

/** The demonstration uses free ports. A gateway must have the configured ports. */
async function choosePorts(settings: StartSettings): Promise<void> {
  const { ports } = settings;
  ports.redis = await freePortNear(ports.redis);
  const named = [
    ['api', 'PORT'],
    ['worker', 'WORKER_PORT'],
    ...(settings.identityUrl === null ? [['cloudsim', 'CLOUDSIM_PORT'] as const] : []),
  ] as const;
  for (const [kind, variable] of named) {
    if (flags.demo) ports[kind] = await freePortNear(ports[kind]);
    else if (!(await isPortFree(ports[kind]))) {
      throw new Error(
        `port ${ports[kind]} is in use: stop what listens there or set ${variable} to another port`,
      );
    }
  }
}

function introduction(stack: Stack, { hasOperatorsPage, identityUrl }: StartSettings): string {
  const simulated = identityUrl === null;
  const { demo, admin } = simulatedLogins;
  const login = simulated ? demo : { username: '<user>', password: '<password>' };
  return [
    '',
    `  API            ${stack.url}/api   (health: ${stack.url}/api/health)`,
    ...(hasOperatorsPage ? [`  Operators      ${stack.url}/ops`] : []),
    simulated
      ? `  Cloud          simulated at ${stack.cloudsim?.url}; log in as ${demo.username} / ${demo.password} or ${admin.username} / ${admin.password}`
      : `  Cloud          ${identityUrl}`,
    `  Redis          ${stack.redisUrl}`,
    '',
    'To create an instance and watch its progress, paste this into another shell:',
    '',
    tryItBlock(stack.url, login),
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n');
}

function showLine(process: string, line: string): void {
  if (!flags.demo || isNoteworthy(line)) print(readableLine(process, line));
}

/** Removes control characters, because the text may contain names of users or output of a process. */
function print(text: string): void {
  console.log(text.split('\n').map(printable).join('\n'));
}
