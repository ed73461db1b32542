import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import '../../../scripts/cli/build.ts';
import { projectRoot } from '../../../scripts/server-process.ts';
import { median, type Row } from '../row.ts';

const ROUNDS = 15;
const BUDGET_MS = 300;
const program = join(projectRoot, 'packages/cli/dist/main.js');

/** Time of a command without a request, as it is published, against Node.js without a program. */
export async function commandLine(): Promise<Row> {
  const ours: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    floor.push(durationMs(['-e', '0']));
    ours.push(durationMs([program, 'list', 'instances', '--help']));
  }
  const ms = median(ours);
  const floorMs = median(floor);
  return {
    name: 'command line until its end',
    unit: 'ms',
    gateway: ms,
    floor: floorMs,
    result: ms,
    resultUnit: 'ms',
    budget: `<= ${BUDGET_MS} ms`,
    met: ms <= BUDGET_MS,
    note: `${(ms / floorMs).toFixed(1)} times "node -e 0"`,
  };
}

function durationMs(args: readonly string[]): number {
  const started = performance.now();
  execFileSync(process.execPath, args, { stdio: 'ignore' });
  return performance.now() - started;
}
