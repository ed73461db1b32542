import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { memoryOptions } from '../../scripts/stack-environment.ts';

/**
 * A process that keeps its latest objects for a while. Prints its large collections. It collects garbage in
 * one thread, so that their number does not depend on what else the machine does.
 */
const BUSY_SCRIPT = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  let collections = 0;
  const { NODE_PERFORMANCE_GC_MAJOR: MAJOR } = constants;
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === MAJOR) collections += 1;
  });
  observer.observe({ entryTypes: ['gc'] });
  const kept = [];
  for (let round = 0; round < 2000; round += 1) {
    kept[round % 60] = Array.from({ length: 10_000 }, (_, number) => ({ number }));
    await new Promise(setImmediate);
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  console.log(collections);`;

const ONE_THREAD = ['--single-threaded-gc', '--no-incremental-marking'];

/**
 * A process with many calls at once, and then one after the other. Prints how many bytes of each of the
 * latter remain until a large collection.
 */
const CALLS_SCRIPT = `
  import { Session } from 'node:inspector/promises';
  import got, { Options } from 'got';
  const CALLS = 20_000;
  const newCall = () => new Options('http://127.0.0.1/', { headers: { accept: '*/*' } }, got.defaults.options);
  let inFlight = [];
  for (let call = 0; call < 2 * CALLS; call += 1) inFlight[call % 5000] = newCall();
  inFlight = null;
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.startSampling', { includeObjectsCollectedByMajorGC: true });
  for (let call = 0; call < CALLS; call += 1) newCall();
  const { profile } = await session.post('HeapProfiler.stopSampling');
  const bytesOf = ({ selfSize, children }) => children.reduce((sum, child) => sum + bytesOf(child), selfSize);
  console.log(bytesOf(profile.head) / CALLS);`;

/** Runs a script as a process with the memory settings of the api. Returns the number that it prints. */
function numberFrom(script: string, ...options: string[]): number {
  const settings = memoryOptions.NODE_OPTIONS.split(' ');
  const nodeOptions = [...settings, ...options, '--input-type=module', '-e', script];
  return Number(execFileSync(process.execPath, nodeOptions, { encoding: 'utf8' }));
}

/** Imports the flags first, as the services do. */
const WITH_FLAGS = ['--import', '@gateway/core/heap-flags'];

describe('the flags of the heap', function () {
  this.timeout(300_000);

  for (const service of ['api', 'worker']) {
    it(`are set before the ${service} imports anything else`, () => {
      const main = readFileSync(`apps/${service}/src/main.ts`, 'utf8');

      assert.match(main, /^import '@gateway\/core\/heap-flags';\n/);
    });
  }

  it('keep finished calls out of the old generation', () => {
    // Without them, V8 keeps about 3,000 bytes, but not in each process.
    const bytes = [1, 2, 3].map(() => numberFrom(CALLS_SCRIPT, ...WITH_FLAGS));

    assert.ok(Math.max(...bytes) < 1500, `${bytes} bytes`);
  });

  it('let the heap grow by more than an option allows', () => {
    const told = [...ONE_THREAD, '--heap-growing-percent=10'];

    const [fewer, more] = [numberFrom(BUSY_SCRIPT, ...told, ...WITH_FLAGS), numberFrom(BUSY_SCRIPT, ...told)];

    assert.ok(fewer > 0 && fewer < more * 0.85, `${fewer} and ${more}`);
  });
});
