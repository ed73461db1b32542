import type { ResourceName } from '@gateway/core';
import { enumOf, id, listOf, oneOf, type Shape, shape } from '@gateway/core/shapes';
import type { ActionRule } from './rule.ts';

/** What a row belongs to. */
export function managedByField() {
  return shape('ManagedBy', { type: oneOf(['job', 'instance', 'cluster']), id: id('volume') })
    .nullable()
    .describe(
      'The job, instance or lite cluster that the resource belongs to, and goes with; null for none.',
    );
}

/** What the document says of the actions on a resource. */
export interface ActionTable {
  resource: ResourceName | 'job';
  rules: Readonly<Record<string, Pick<ActionRule<never>, 'endpoint' | 'with'>>>;
}

const tables = new WeakMap<Shape<unknown>, ActionTable>();

/** The actions on the rows with this field; undefined for another field. */
export function actionTableOf(field: Shape<unknown>): ActionTable | undefined {
  return tables.get(field);
}

/** The actions that a row allows its reader, by the rules of the type of resource. */
export function allowedActionsField<Name extends string>(
  resource: ActionTable['resource'],
  rules: Readonly<Record<Name, Pick<ActionRule<never>, 'endpoint' | 'with'>>>,
) {
  const names = Object.keys(rules) as Name[];
  const type = resource.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const endpoints = names.map((name) => `\`${name}\` (\`${rules[name].endpoint}\`)`);
  const field = listOf(enumOf(`${type}ActionName`, names), ['delete']).describe(
    `What the caller can do now: ${endpoints.join(', ')}. Others are refused with 409, or with 403 by role.`,
  );
  tables.set(field, { resource, rules });
  return field;
}
