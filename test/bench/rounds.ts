import { type LoadResult, load, type Target, warmUp } from './load.ts';
import { median, type Row } from './row.ts';

interface Comparison {
  name: string;
  gateway: Target;
  floor: Target;
  /** The minimum ratio to the floor's requests per second. */
  budget: number;
}

const ROUNDS = 5;
const ROUND_SECONDS = 4;

/** Measures gateway and floor alternately, so that other load affects both. */
export async function compare({ name, gateway, floor, budget }: Comparison): Promise<Row> {
  await warmUp(gateway);
  await warmUp(floor);
  const ours: LoadResult[] = [];
  const bare: LoadResult[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await load(floor, ROUND_SECONDS));
    ours.push(await load(gateway, ROUND_SECONDS));
  }
  const speed = (results: LoadResult[]) => median(results.map(({ requestsPerSecond }) => requestsPerSecond));
  const cpu = (results: LoadResult[]) => median(results.map(({ cpuMicroseconds }) => cpuMicroseconds));
  const result = speed(ours) / speed(bare);
  return {
    name,
    unit: 'requests/s',
    gateway: speed(ours),
    floor: speed(bare),
    result,
    resultUnit: 'of the floor',
    budget: `>= ${budget}`,
    met: result >= budget,
    note: `processor time per request ${Math.round(cpu(ours))} against ${Math.round(cpu(bare))} us`,
  };
}
