import { agentNode } from './agent-node.ts';
import { builder } from './builder.ts';
import { controlNode } from './control-node.ts';
import { layers } from './layers.ts';
import type { Plan } from './plan.ts';
import type { Role } from './role.ts';
import { verifier } from './verifier.ts';

const ROLES: readonly Role[] = [builder, controlNode, layers, agentNode, verifier];

/** A plan without a task mounts layers. */
export function roleFor(plan: Plan): Role | undefined {
  const task = plan.get('task') ?? layers.task;
  return ROLES.find((role) => role.task === task);
}
