import type { Server } from '../compute/state.ts';
import { type FirstBootData, readFirstBootData } from './first-boot-data.ts';
import { type Plan, planIn } from './plan.ts';

/** The state of a guest that outlasts reboots. */
export interface Machine {
  readonly data: FirstBootData;
  readonly plan: Plan;
  /** Whether the first-boot work is complete. The scripts record this on the disk. */
  isDone: boolean;
  /** Whether the guest has powered off and the compute service has not noticed yet. */
  isPoweringOff: boolean;
  /** The token of the next report, once it differs from that in the first-boot data. */
  reportToken: string | null;
  /** The lines that the scripts have written to the console. */
  readonly console: string[];
}

/** Null for a server without a first-boot plan. */
export function machineOf(server: Server): Machine | null {
  if (server.userData === null) return null;
  let data: FirstBootData;
  try {
    data = readFirstBootData(server.userData);
  } catch {
    // A real machine also boots when it cannot read its user data.
    return null;
  }
  const plan = planIn(data);
  return plan === null
    ? null
    : { data, plan, isDone: false, isPoweringOff: false, reportToken: null, console: [] };
}
