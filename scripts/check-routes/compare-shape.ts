import type { ContractSchema } from './contract.ts';
import { type Document, resolve, type Schema } from './openapi.ts';

/**
 * The differences between a response, or a part of it, and the contract: it must always have every field,
 * with the contract's type. It may have additional fields.
 */
export function compareShape(
  at: string,
  wanted: ContractSchema,
  declared: Schema | undefined,
  document: Document,
): string[] {
  if (declared === undefined) return [`${at} is missing`];
  const found = withoutNull(resolve(declared, document), document);
  const types = typesOf(resolve(declared, document), document);
  const inner = (name: string, schema: ContractSchema, from: Schema | undefined) =>
    compareShape(`${at}.${name}`, schema, from, document);
  return [
    ...(wanted.type === undefined || types.every((type) => allows(wanted.type ?? [], type))
      ? []
      : [`${at} is ${types}, not ${wanted.type}`]),
    ...(wanted.enum ?? [])
      .filter((value) => found.enum?.includes(value) === false)
      .map((value) => `${at} is never ${value}`),
    ...(wanted.items === undefined ? [] : inner('[]', wanted.items, found.items)),
    ...Object.entries(wanted.properties ?? {}).flatMap(([name, schema]) =>
      inner(name, schema, found.properties?.[name]),
    ),
    ...(wanted.required ?? [])
      .filter((name) => name in (found.properties ?? {}) && found.required?.includes(name) !== true)
      .map((name) => `${at}.${name} may be absent`),
  ];
}

function allows(wanted: readonly string[], type: string): boolean {
  return wanted.includes(type) || (type === 'integer' && wanted.includes('number'));
}

function typesOf(schema: Schema, document: Document): string[] {
  if (schema.anyOf !== undefined)
    return schema.anyOf.flatMap((one) => typesOf(resolve(one, document), document));
  return [schema.type ?? []].flat();
}

/** The schema of the values that are not null. */
function withoutNull(schema: Schema, document: Document): Schema {
  const other = schema.anyOf?.map((one) => resolve(one, document)).find(({ type }) => type !== 'null');
  return other ?? schema;
}
