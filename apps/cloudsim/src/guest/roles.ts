import { builder } from './builder.ts';
import { layers } from './layers.ts';
import type { Plan } from './plan.ts';
import type { Vm } from './vm.ts';

/** What a machine does that is told so by its first-boot data. */
export interface Role {
  /** As the plan names it. */
  task: string;
  /** From the first script of a boot on. */
  play(vm: Vm): Promise<void>;
  /** Asked when somebody looks at the console of a machine that has booted. */
  look?(vm: Vm): void;
}

/** A plan that names no task is one of layers. */
export function roleFor(plan: Plan): Role | undefined {
  const task = plan.get('task') ?? layers.task;
  return ROLES.find((role) => role.task === task);
}

const ROLES: readonly Role[] = [builder, layers];
