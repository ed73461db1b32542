import type { Server } from '../compute/state.ts';
import { type FirstBootData, readFirstBootData } from './first-boot-data.ts';
import { type Plan, planIn } from './plan.ts';
import { type Role, roleFor } from './roles.ts';
import type { Vm } from './vm.ts';

/** What of a server outlasts its reboots. */
export interface Machine {
  readonly data: FirstBootData;
  readonly plan: Plan;
  readonly role: Role;
  /** That its work is done, as the scripts write it down on the disk. */
  isDone: boolean;
  /** What the scripts have told so far. */
  readonly console: string[];
  /** While it is switched on. */
  vm: Vm | null;
}

/** Null for a server whose data has nothing done that anybody outside would notice. */
export function machineOf(server: Server): Machine | null {
  if (server.userData === null) return null;
  let data: FirstBootData;
  try {
    data = readFirstBootData(server.userData);
  } catch {
    // A real machine boots all the same, and its data goes for nothing.
    return null;
  }
  const plan = planIn(data);
  const role = plan === null ? undefined : roleFor(plan);
  if (plan === null || role === undefined) return null;
  return { data, plan, role, isDone: false, console: [], vm: null };
}
