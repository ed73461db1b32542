import { setTimeout as pause } from 'node:timers/promises';
import { type ServerProcess, type ServerSpec, startServer } from '../../../scripts/server-process.ts';
import type { Stack } from '../../../scripts/stack.ts';
import { residentKib } from '../process-memory.ts';
import { median, type Row } from '../row.ts';

const ROUNDS = 5;
const READY_BUDGET_MS = 2_000;
const MEMORY_BUDGET_MIB = 150;
/** Time for a garbage collection after the start. */
const SETTLE_MS = 3_000;

/** Time from the start of a process to its first response, and its memory then, against plain Express. */
export async function startUp(stack: Stack): Promise<Row[]> {
  const bare: ServerSpec = {
    name: 'floor',
    entry: 'test/bench/baselines/bare.ts',
    portVariable: 'PORT',
    healthPath: '/health',
    env: { ...process.env },
  };
  const ours = { readyMs: [] as number[], memoryMib: [] as number[] };
  const floor = { readyMs: [] as number[], memoryMib: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    await measure(() => startServer(bare), floor);
    await measure(() => stack.addApi(), ours);
  }
  const readyMs = median(ours.readyMs);
  const memoryMib = median(ours.memoryMib);
  return [
    {
      name: 'api process until ready',
      unit: 'ms',
      gateway: readyMs,
      floor: median(floor.readyMs),
      result: readyMs,
      resultUnit: 'ms',
      budget: `<= ${READY_BUDGET_MS} ms`,
      met: readyMs <= READY_BUDGET_MS,
    },
    {
      name: 'api process, idle memory',
      unit: 'MiB',
      gateway: memoryMib,
      floor: median(floor.memoryMib),
      result: memoryMib,
      resultUnit: 'MiB',
      budget: `<= ${MEMORY_BUDGET_MIB} MiB`,
      met: memoryMib <= MEMORY_BUDGET_MIB,
    },
  ];
}

async function measure(
  start: () => Promise<ServerProcess>,
  into: { readyMs: number[]; memoryMib: number[] },
): Promise<void> {
  const started = performance.now();
  const server = await start();
  into.readyMs.push(performance.now() - started);
  await pause(SETTLE_MS);
  into.memoryMib.push(residentKib(server.pid) / 1024);
  await server.stop();
}
