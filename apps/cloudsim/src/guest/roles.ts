import { builder } from './builder.ts';
import { controlNode } from './control-node.ts';
import { layers } from './layers.ts';
import type { Plan } from './plan.ts';
import type { Role } from './role.ts';
import { workerNode } from './worker-node.ts';

const ROLES: readonly Role[] = [builder, controlNode, layers, workerNode];

/** A plan without a task mounts layers. */
export function roleFor(plan: Plan): Role | undefined {
  const task = plan.get('task') ?? layers.task;
  return ROLES.find((role) => role.task === task);
}
