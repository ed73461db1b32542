import { idParamOf } from '@gateway/core';
import type { ActionTable } from '@gateway/resources/shapes';
import type { Json } from './json-schema.ts';
import type { SchemaRegistry } from './schema-registry.ts';

/** The request of an action on a row. Its fields are named as in `errors`, such as `body.size_gb`. */
interface Action {
  method: string;
  path: string;
  /** The field that takes the id of the row. */
  id: string;
  /** What other fields have, where the endpoint has several actions. */
  fixed: Record<string, string>;
  /** The fields that are to be asked for. */
  required: string[];
  optional: string[];
}

interface Operation {
  parameters?: { in?: string; name: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema: Json }> };
}

interface BodySchema {
  $ref?: string;
  properties?: Json;
  required?: string[];
}

/**
 * The requests of all values of `allowed_actions`, by resource and value, from the operations that the rules
 * of the actions name.
 * @throws when there is no such operation, or it does not take the id of a row
 */
export function describeActions(
  schemas: SchemaRegistry,
  paths: Readonly<Record<string, Json>>,
): Record<string, Record<string, Action>> {
  const described = [...schemas.actions].map(([resource, rules]) => {
    const idParam = resource === 'job' ? 'job_id' : idParamOf(resource);
    const ofResource = Object.entries(rules).map(([name, rule]) => [
      name,
      describe(schemas, paths, rule, idParam),
    ]);
    return [resource, Object.fromEntries(ofResource)];
  });
  return Object.fromEntries(described);
}

function describe(
  schemas: SchemaRegistry,
  paths: Readonly<Record<string, Json>>,
  { endpoint, with: given = {} }: ActionTable['rules'][string],
  idParam: string | undefined,
): Action {
  const [method = '', path = ''] = endpoint.split(' ');
  const operation = paths[path]?.[method.toLowerCase()] as Operation | undefined;
  if (operation === undefined) throw new Error(`There is no endpoint ${endpoint}.`);
  const fields = [...parametersOf(operation), ...bodyFieldsOf(schemas, operation)];
  const id = fields.find(({ name }) => name.endsWith(`.${idParam}`))?.name;
  if (id === undefined) throw new Error(`${endpoint} has no field ${idParam}.`);
  const fixed = Object.fromEntries(Object.entries(given).map(([name, value]) => [`body.${name}`, value]));
  const others = fields.filter(({ name }) => name !== id && !(name in fixed));
  return {
    method,
    path,
    id,
    fixed,
    required: others.filter(({ required }) => required).map(({ name }) => name),
    optional: others.filter(({ required }) => !required).map(({ name }) => name),
  };
}

interface Field {
  name: string;
  required: boolean;
}

function parametersOf({ parameters = [] }: Operation): Field[] {
  return parameters
    .filter((parameter) => parameter.in === 'path' || parameter.in === 'query')
    .map((parameter) => ({ name: `${parameter.in}.${parameter.name}`, required: parameter.required }));
}

function bodyFieldsOf(schemas: SchemaRegistry, { requestBody }: Operation): Field[] {
  const schema: BodySchema = Object.values(requestBody?.content ?? {})[0]?.schema ?? {};
  const named: BodySchema = schemas.schemaOf(schema.$ref?.split('/').at(-1) ?? '');
  const { properties = {}, required = [] } = { ...schema, ...named };
  return Object.keys(properties).map((name) => ({ name: `body.${name}`, required: required.includes(name) }));
}
