import type { ObjectSchema } from 'joi';
import { MAX_ERRORS, type Problem } from './validation-errors.ts';

/**
 * Rules for every body, besides the schema of its endpoint: maximum depth, maximum length, and the meaning of
 * null. They are checked before joi, which examines all items of an array before it counts them, and cannot
 * treat null as absent where nothing is converted. `empty(null)` in each schema would be easy to omit.
 */

const MAX_DEPTH = 20;
/** For an array or a mapping whose schema sets no limit. */
const MAX_ITEMS = 1000;

/** The part of a value's schema that these rules need. */
interface Rules {
  /** Null is a value of its own, not the same as an absent field. */
  isNullable: boolean;
  maxItems: number;
  /** The known fields of an object. */
  fields?: Map<string, Rules>;
  /** The rules of the items of an array, or of the values of a mapping. */
  items?: Rules;
}

/** The part of Joi's description of a schema that these rules need. */
interface Description {
  flags?: { presence?: string };
  allow?: unknown[];
  rules?: { name: string; args?: { limit?: number } }[];
  keys?: Record<string, Description>;
  patterns?: { rule: Description }[];
  items?: Description[];
  /** Of alternatives. */
  matches?: { schema?: Description }[];
}

const known = new WeakMap<ObjectSchema, BodySchema>();

/** A body's schema with its rules, which are derived once. */
interface BodySchema {
  /** Requires a body, unless the declared schema is optional. */
  schema: ObjectSchema;
  rules: Rules;
}

export function bodySchemaOf(schema: ObjectSchema): BodySchema {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const description = schema.describe() as Description;
  const isOptional = description.flags?.presence === 'optional';
  const made = { schema: isOptional ? schema : schema.required(), rules: rulesOf(description) };
  known.set(schema, made);
  return made;
}

/** Problems of strings and nesting that do not depend on the schema. */
export function findBodyProblems(body: unknown): Problem[] {
  const flaws: Problem[] = [];
  const open: Place[] = [{ value: body, key: 'body', parent: null, depth: 1 }];
  // The loop appends to the array: breadth-first, without recursion.
  for (const place of open) {
    if (flaws.length >= MAX_ERRORS) break;
    const { value, depth } = place;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH) {
      return [{ path: ['body'], message: `must not be nested deeper than ${MAX_DEPTH} levels` }];
    }
    const look = (item: unknown, key: string | number) => {
      if (typeof item === 'string' && !item.isWellFormed()) {
        flaws.push({ path: [...pathOf(place), key], message: 'must be well-formed Unicode' });
      }
      if (typeof item === 'object') open.push({ value: item, key, parent: place, depth: depth + 1 });
    };
    if (Array.isArray(value)) {
      value.forEach(look);
      continue;
    }
    for (const [name, item] of Object.entries(value)) {
      if (!name.isWellFormed()) {
        flaws.push({ path: pathOf(place), message: 'must have names of well-formed Unicode' });
      }
      look(item, name);
    }
  }
  return flaws;
}

/** A value of the body. Its path is computed only for a problem. */
interface Place {
  value: unknown;
  key: string | number;
  parent: Place | null;
  depth: number;
}

function pathOf(place: Place): Problem['path'] {
  const path: (string | number)[] = [];
  for (let at: Place | null = place; at !== null; at = at.parent) path.unshift(at.key);
  return path;
}

/** What is found about a body while it is trimmed. */
interface Findings {
  problems: Problem[];
  /** The paths of fields that are not known, up to `MAX_ERRORS`. */
  ignored: Problem['path'][];
}

/**
 * Returns the body with the known fields only. A null that is not a value of its own counts as an absent
 * field. An array that is too long is reported and replaced by an empty array, so that its items are not
 * validated.
 */
export function trimBody(rules: Rules, body: unknown): { value: unknown } & Findings {
  const findings: Findings = { problems: [], ignored: [] };
  return { value: trim(body ?? undefined, rules, ['body'], findings), ...findings };
}

function trim(value: unknown, rules: Rules | undefined, path: Problem['path'], findings: Findings): unknown {
  if (typeof value !== 'object' || value === null || rules === undefined) return value;
  const { fields, items, maxItems } = rules;
  if (Array.isArray(value)) {
    if (fields !== undefined) return value;
    if (value.length > maxItems) return refuse([], path, `must have at most ${maxItems} items`, findings);
    return value.map((item, index) => trim(item, items, [...path, index], findings));
  }
  const names = fields === undefined ? Object.keys(value) : [...fields.keys()];
  if (fields === undefined && names.length > maxItems) {
    return refuse({}, path, `must have at most ${maxItems} entries`, findings);
  }
  if (fields !== undefined) noteUnknown(Object.keys(value), fields, path, findings);
  const record = value as Record<string, unknown>;
  return Object.fromEntries(
    names
      .map((name) => ({ name, ofField: fields?.get(name) ?? items }))
      .filter(({ name, ofField }) => isThere(record, name, ofField))
      .map(({ name, ofField }) => [name, trim(record[name], ofField, [...path, name], findings)]),
  );
}

function isThere(record: Record<string, unknown>, name: string, rules: Rules | undefined): boolean {
  if (!Object.hasOwn(record, name)) return false;
  return record[name] !== null || rules === undefined || rules.isNullable;
}

function noteUnknown(
  names: readonly string[],
  fields: ReadonlyMap<string, Rules>,
  path: Problem['path'],
  { ignored }: Findings,
): void {
  for (const name of names) {
    if (ignored.length >= MAX_ERRORS) return;
    if (!fields.has(name)) ignored.push([...path, name]);
  }
}

function refuse<T>(instead: T, path: Problem['path'], message: string, { problems }: Findings): T {
  problems.push({ path, message });
  return instead;
}

function rulesOf(description: Description): Rules {
  const { allow = [], rules = [] } = description;
  const { item, keys } = partsOf(description);
  return {
    isNullable: allow.includes(null),
    maxItems: rules.find(({ name }) => name === 'max')?.args?.limit ?? MAX_ITEMS,
    ...(keys && { fields: new Map(Object.entries(keys).map(([name, field]) => [name, rulesOf(field)])) }),
    ...(item && { items: rulesOf(item) }),
  };
}

/** The fields and items of a value. Of alternatives, a field is known if one of them has it. */
function partsOf({ items, keys, matches, patterns }: Description): {
  item?: Description;
  keys?: Record<string, Description>;
} {
  const parts = (matches ?? []).flatMap(({ schema }) => (schema === undefined ? [] : [partsOf(schema)]));
  const known = [keys, ...parts.map((part) => part.keys)].filter((fields) => fields !== undefined);
  return {
    item: items?.[0] ?? patterns?.[0]?.rule ?? parts.find(({ item }) => item !== undefined)?.item,
    keys: known.length === 0 ? undefined : Object.assign({}, ...known),
  };
}
