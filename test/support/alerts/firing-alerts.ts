import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../../scripts/debian-package.ts';
import { projectRoot, type ServerProcess } from '../../../scripts/server-process.ts';
import type { Stack } from '../../../scripts/stack.ts';

/** What Prometheus gets from one process. */
interface Target {
  job: 'gateway-api' | 'gateway-worker';
  instance: string;
  /** Null if the process does not answer. */
  text: string | null;
  /** Seconds since the epoch. */
  scrapedAt: number;
}

interface Scrape {
  atMinutes: number;
  targets: readonly Target[];
}

interface FiringAlert {
  name: string;
  labels: Record<string, string>;
}

const rulesFile = join(projectRoot, 'deploy/prometheus/alerts.yaml');

/** The labels that the scrape configuration gives to `up`: those of a gateway without a name of its own. */
const ORIGIN = 'gateway="gateway",region="RegionOne"';

/** The load of the machine that runs the tests says nothing about the gateway. */
const OF_MACHINE = /^nodejs_eventloop_lag_|^process_resident_memory_bytes$/;

/** Scrapes all processes of a stack as deploy/prometheus/scrape.example.yaml does. */
export async function scrape(stack: Pick<Stack, 'apis' | 'workers'>): Promise<Target[]> {
  const read = async (job: Target['job'], { url, port }: ServerProcess): Promise<Target> => ({
    job,
    instance: `127.0.0.1:${port}`,
    scrapedAt: Date.now() / 1000,
    text: await fetch(url + (job === 'gateway-api' ? '/api/metrics' : '/metrics')).then(
      (response) => (response.ok ? response.text() : null),
      () => null,
    ),
  });
  return Promise.all([
    ...stack.apis.map((api) => read('gateway-api', api)),
    ...stack.workers.map((worker) => read('gateway-worker', worker)),
  ]);
}

/**
 * The alerts of deploy/prometheus/alerts.yaml that fire some minutes after the first scrape, by promtool.
 * Each scrape is repeated every minute until the next one, the last one until the end.
 */
export async function firingAlerts(scrapes: readonly Scrape[], afterMinutes: number): Promise<FiringAlert[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-alerts-'));
  try {
    const file = join(folder, 'night.test.yaml');
    const test = {
      interval: '1m',
      input_series: inputSeries(scrapes, afterMinutes),
      promql_expr_test: [
        { expr: 'ALERTS{alertstate="firing"}', eval_time: `${afterMinutes}m`, exp_samples: [] },
      ],
    };
    // JSON is valid YAML.
    await writeFile(
      file,
      JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests: [test] }),
    );
    return readFiring(await runPromtool(file));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The names of the alerts that fire, sorted; see `firingAlerts`. */
export async function alertsFiring(scrapes: readonly Scrape[], afterMinutes: number): Promise<string[]> {
  const firing = await firingAlerts(scrapes, afterMinutes);
  return [...new Set(firing.map(({ name }) => name))].sort();
}

function inputSeries(scrapes: readonly Scrape[], afterMinutes: number): { series: string; values: string }[] {
  const series = new Map<string, string[]>();
  for (let minute = 0; minute <= afterMinutes; minute += 1) {
    const current = scrapes.findLast(({ atMinutes }) => atMinutes <= minute);
    for (const [name, value] of (current?.targets ?? []).flatMap((target) => samplesOf(target, minute))) {
      const values = series.get(name) ?? [];
      series.set(name, values);
      values.push(...Array.from({ length: minute - values.length }, () => '_'), value);
    }
  }
  return [...series].map(([name, values]) => ({ series: name, values: values.join(' ') }));
}

/** The clock of promtool begins at 0, so a time keeps the age that it had at the scrape. */
function samplesOf(
  { job, instance, text, scrapedAt }: Target,
  minute: number,
): [series: string, value: string][] {
  const target = `job="${job}",instance="${instance}"`;
  const samples: [string, string][] = [[`up{${ORIGIN},${target}}`, text === null ? '0' : '1']];
  for (const line of (text ?? '').split('\n')) {
    const [, name, labels = '', value] = /^([a-z]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined || OF_MACHINE.test(name)) continue;
    const moved = name.endsWith('_timestamp_seconds')
      ? String(Number(value) - scrapedAt + minute * 60)
      : value;
    samples.push([`${name}{${[labels, target].filter(Boolean).join(',')}}`, moved]);
  }
  return samples;
}

/** The output of a test of rules. promtool exits with 1 when an alert fires, because none is expected. */
function runPromtool(file: string): Promise<string> {
  const promtool = findProgram(['promtool']);
  assert.ok(promtool, 'promtool is missing: install the package prometheus');
  return new Promise((resolve, reject) => {
    execFile(promtool, ['test', 'rules', file], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error === null) resolve('');
      else if (stderr.includes('got: {')) resolve(stderr);
      else reject(new Error(stdout + stderr));
    });
  });
}

/** Reads the samples that promtool prints after `got:`. */
function readFiring(output: string): FiringAlert[] {
  const [, got = ''] = output.split('got: ');
  return [...got.matchAll(/\{(__name__="ALERTS"(?:[^"}]|"(?:[^"\\]|\\.)*")*)\}/g)].map(([, text = '']) => {
    const pairs = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
    const {
      alertname = '',
      __name__,
      alertstate,
      ...labels
    } = Object.fromEntries(Array.from(pairs, ([, name = '', value = '']) => [name, value]));
    return { name: alertname, labels };
  });
}
