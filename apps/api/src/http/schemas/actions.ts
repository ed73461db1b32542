import type { ManagedBy } from '@gateway/resources';
import Joi from 'joi';
import { listOf, part } from './fields.ts';

/** What a row belongs to. */
export function managedByField() {
  return part<ManagedBy>({
    type: Joi.string().valid('job', 'instance', 'cluster'),
    id: Joi.string(),
  })
    .allow(null)
    .description(
      'The job, instance or lite cluster that the resource belongs to, and goes with; null for none.',
    );
}

/** The actions that a row allows its reader, by the rules of the type of resource. */
export function allowedActionsField<Name extends string>(
  rules: Readonly<Record<Name, { endpoint: string }>>,
) {
  const names = Object.keys(rules) as Name[];
  const endpoints = names.map((name) => `\`${name}\` (\`${rules[name].endpoint}\`)`);
  return listOf(Joi.string<Name>().valid(...names)).description(
    `What the caller can do now: ${endpoints.join(', ')}. Others are refused with 409, or with 403 by role.`,
  );
}
