import { readFileSync } from 'node:fs';
import type { ContractEndpoint, ContractField, ContractSchema } from './contract.ts';

interface Inventory {
  endpoints: InventoryEndpoint[];
  shapes: Record<string, JsonSchema>;
}

interface InventoryEndpoint {
  method: string;
  path: string;
  area: string;
  auth: string | null;
  optional_service: string | null;
  query: InventoryField[];
  body: InventoryField[];
  success_status: number | null;
  response: string | null;
  response_form: string | null;
  errors: Record<string, string>;
  stream: boolean;
}

interface InventoryField {
  name: string;
  type: string | null;
  required: boolean | null;
  default: unknown;
  enum: unknown[] | null;
  min: number | null;
  max: number | null;
  pattern?: string | null;
}

interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  $ref?: string;
}

/** Reads the endpoints from the inventory of the interface, without its sentences. */
export function fromInventory(file: string): ContractEndpoint[] {
  const { endpoints, shapes } = JSON.parse(readFileSync(file, 'utf8')) as Inventory;
  return endpoints.map((one) => reduce(one, shapes));
}

function reduce(from: InventoryEndpoint, shapes: Inventory['shapes']): ContractEndpoint {
  const shape = from.response === null ? undefined : schemaOf({ $ref: from.response }, shapes);
  return defined<ContractEndpoint>({
    endpoint: `${from.method} ${from.path}`,
    area: from.area,
    token: from.auth === null ? undefined : from.auth !== 'none',
    service: from.optional_service ?? undefined,
    query: fieldsOf(from.query),
    body: fieldsOf(from.body),
    status: from.success_status ?? undefined,
    errors: Object.keys(from.errors).length > 0 ? Object.keys(from.errors).map(Number) : undefined,
    empty: from.response_form === 'empty' || undefined,
    stream: from.stream || undefined,
    response: responseOf(from.response_form, shape, shapes),
  });
}

function responseOf(
  form: string | null,
  shape: ContractSchema | undefined,
  shapes: Inventory['shapes'],
): ContractSchema | undefined {
  const array = defined<ContractSchema>({ type: ['array'], items: shape });
  if (form === 'array') return array;
  if (form !== 'page') return shape;
  const page = schemaOf({ $ref: 'Page' }, shapes);
  return { ...page, properties: { ...page.properties, items: array } };
}

function fieldsOf(fields: InventoryField[]): Record<string, ContractField> | undefined {
  if (fields.length === 0) return undefined;
  return Object.fromEntries(fields.map((field) => [field.name, fieldOf(field)]));
}

function fieldOf({ type, required, enum: values, min, max, ...rest }: InventoryField): ContractField {
  const [, item] = /^array\[(\w+)\]$/.exec(type ?? '') ?? [];
  const types = item === undefined ? type?.split(' or ').map(jsonType) : ['array'];
  const isText = types?.includes('string') ?? false;
  return defined<ContractField>({
    type: types,
    items: item === undefined ? undefined : { type: [jsonType(item)] },
    isRequired: required ?? undefined,
    default: rest.default ?? undefined,
    enum: values ?? undefined,
    [isText ? 'minLength' : 'minimum']: min ?? undefined,
    [isText ? 'maxLength' : 'maximum']: max ?? undefined,
    pattern: rest.pattern ?? undefined,
  });
}

function jsonType(type: string): string {
  return type === 'float' ? 'number' : type;
}

function schemaOf(schema: JsonSchema, shapes: Inventory['shapes']): ContractSchema {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const shape = shapes[name];
    if (shape === undefined) throw new Error(`The inventory has no shape ${name}.`);
    return schemaOf(shape, shapes);
  }
  const { type, enum: values, items, properties, required } = schema;
  return defined<ContractSchema>({
    type: type === undefined ? undefined : [type].flat(),
    enum: values,
    items: items && schemaOf(items, shapes),
    properties:
      properties &&
      Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, schemaOf(inner, shapes)])),
    required,
  });
}

/** Without the keys whose value is undefined. */
function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T;
}
