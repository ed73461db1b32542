import { parseArgs } from 'node:util';
import { runFaults } from '../test/faults/run-faults.ts';
import { bundleApps } from './bundle-apps.ts';

/**
 * Tests the whole system while processes are killed, Redis restarts and services fail:
 *   npm run test:faults [-- [--short | --soak [--seed <number>] | --every-call] [--stacks 1]
 *                           [--kind <part>] [--step <part>] [--fault <part>]]
 * Prints a table with a line per case. The last line is
 *   cases N, lost 0, leaked 0, duplicated 0, stream gaps 0
 */
const {
  values: { stacks, seed, ...values },
} = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    'every-call': { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
    kind: { type: 'string' },
    step: { type: 'string' },
    fault: { type: 'string' },
    stacks: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

process.env.TEST_BUNDLES = await bundleApps();
process.exitCode = await runFaults({
  ...values,
  everyCall: values['every-call'],
  stacks: Number(stacks),
  seed: Number(seed),
}).catch((error: unknown) => {
  console.error(error);
  return 1;
});
