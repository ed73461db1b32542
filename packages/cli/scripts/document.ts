import type { Field } from '../src/catalog/operation.ts';

/** The parts of an OpenAPI document that commands are derived from. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, JsonSchema>; parameters: Record<string, OpenApiParameter> };
}

export interface OpenApiOperation {
  summary?: string;
  tags: string[];
  parameters?: (OpenApiParameter | Reference)[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

type Content = Record<string, { schema?: JsonSchema | Reference }>;

interface Reference {
  $ref: string;
}

interface OpenApiParameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: JsonSchema;
}

interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  contentMediaType?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  oneOf?: JsonSchema[];
}

const JSON_TYPE = 'application/json';

/** Reads the schemas of operations. */
export class SchemaReader {
  readonly #document: OpenApiDocument;

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  isStream({ responses }: OpenApiOperation): boolean {
    return Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content);
  }

  /** The fields of the rows of a list, and whether it has pages. Null if the response is no list. */
  rowsOf({ responses }: OpenApiOperation): { columns: string[]; isPage: boolean } | null {
    const schema = this.#schema(responses[200]?.content?.[JSON_TYPE]?.schema);
    const { items, next_marker: marker } = schema?.properties ?? {};
    const isPage = items !== undefined && marker !== undefined;
    const list = this.#schema(isPage ? items : schema);
    if (list?.type !== 'array') return null;
    const row = this.#schema(list.items);
    const kinds = row?.oneOf?.map((kind) => this.#schema(kind)) ?? [row];
    const columns = new Set(kinds.flatMap((kind) => Object.keys(kind?.properties ?? {})));
    return columns.size === 0 ? null : { columns: [...columns], isPage };
  }

  queryOf({ parameters = [] }: OpenApiOperation): Field[] {
    return parameters
      .map((parameter) => ('$ref' in parameter ? this.#parameter(parameter.$ref) : parameter))
      .filter((parameter) => parameter?.in === 'query')
      .map(({ name, required = false, schema = {} }) => this.#field(name, schema, required));
  }

  /** The fields of the body. Null for no body, empty for one without named fields. */
  bodyOf({ requestBody }: OpenApiOperation): Field[] | null {
    if (requestBody === undefined) return null;
    const schema = this.#schema(requestBody.content[JSON_TYPE]?.schema);
    return Object.entries(schema?.properties ?? {}).map(([name, field]) =>
      this.#field(name, field, schema?.required?.includes(name) ?? false),
    );
  }

  #field(name: string, declared: JsonSchema, isRequired: boolean): Field {
    const schema = this.#schema(declared) ?? {};
    const description = declared.description ?? schema.description;
    const choices = schema.enum?.filter((choice) => typeof choice === 'string');
    return {
      name,
      type: this.#typeOf(schema),
      ...(isRequired && { isRequired }),
      ...(description !== undefined && { description }),
      ...(choices && choices.length > 0 && { choices }),
      ...(schema.contentMediaType !== undefined && { holdsText: true }),
    };
  }

  #typeOf({ type, items }: JsonSchema): Field['type'] {
    const [name = ''] = [type ?? []].flat().filter((kind) => kind !== 'null');
    if (name === 'array') return this.#schema(items)?.type === 'string' ? 'strings' : 'json';
    return name === 'string' || name === 'integer' || name === 'number' || name === 'boolean' ? name : 'json';
  }

  #schema(schema: JsonSchema | undefined): JsonSchema | undefined {
    return schema?.$ref === undefined ? schema : this.#document.components.schemas[nameOf(schema.$ref)];
  }

  #parameter(reference: string): OpenApiParameter {
    const parameter = this.#document.components.parameters[nameOf(reference)];
    if (parameter === undefined) throw new Error(`The document lacks ${reference}.`);
    return parameter;
  }
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
