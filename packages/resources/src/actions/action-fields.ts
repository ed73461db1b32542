import { enumOf, id, listOf, oneOf, shape } from '@gateway/core/shapes';

/** What a row belongs to. */
export function managedByField() {
  return shape('ManagedBy', { type: oneOf(['job', 'instance', 'cluster']), id: id('volume') })
    .nullable()
    .describe(
      'The job, instance or lite cluster that the resource belongs to, and goes with; null for none.',
    );
}

/**
 * The actions that a row allows its reader, by the rules of the type of resource.
 *
 * @param type as in the names of its shapes
 */
export function allowedActionsField<Name extends string>(
  type: string,
  rules: Readonly<Record<Name, { endpoint: string }>>,
) {
  const names = Object.keys(rules) as Name[];
  const endpoints = names.map((name) => `\`${name}\` (\`${rules[name].endpoint}\`)`);
  return listOf(enumOf(`${type}ActionName`, names), ['delete']).describe(
    `What the caller can do now: ${endpoints.join(', ')}. Others are refused with 409, or with 403 by role.`,
  );
}
