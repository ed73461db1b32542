import { type OpenApiDocument, referredName, type Schema } from './document.ts';
import { docstring, isName, literal, pascalCase } from './python-text.ts';

const SCALARS: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** The types of Python for the schemas of a document: a `TypedDict` for each object with named fields. */
export class PythonTypes {
  readonly #schemas: Record<string, Schema>;
  readonly #declarations = new Map<string, string>();

  constructor({ components }: OpenApiDocument) {
    this.#schemas = components.schemas;
    // The names of the document come before those that are made of fields.
    for (const name of Object.keys(this.#schemas)) this.#declarations.set(name, '');
    for (const [name, schema] of Object.entries(this.#schemas)) {
      const isObject = this.#fieldsOf(schema) !== null;
      this.#declarations.set(name, isObject ? this.#classOf(name, schema) : this.#alias(name, schema));
    }
  }

  /** The declarations of all types that were asked for. */
  get text(): string {
    return [...this.#declarations.values()].join('\n\n');
  }

  /** Declares an alias for a type without a name of its own in the document. */
  declareAlias(name: string, schema: Schema): void {
    this.#declarations.set(name, this.#alias(name, schema));
  }

  /**
   * @param name that of a type which the schema may need
   * @param scope precedes the names of declared types
   */
  typeOf(schema: Schema | undefined, name: string, scope = ''): string {
    const own = this.#ownTypeOf(schema ?? {}, name, scope);
    // An enumeration of a type with null contains it, or not.
    return [schema?.type].flat().includes('null') && !/\bNone\b|^Any$/.test(own) ? `${own} | None` : own;
  }

  resolve(schema: Schema | undefined): Schema {
    return schema?.$ref === undefined
      ? (schema ?? {})
      : this.resolve(this.#schemas[referredName(schema.$ref)]);
  }

  #ownTypeOf(schema: Schema, name: string, scope: string): string {
    if (schema.$ref !== undefined) return scope + referredName(schema.$ref);
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum !== undefined) return literalsOf(schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined)
      return unionOf(choices.map((choice, at) => this.typeOf(choice, `${name}${at + 1}`, scope)));
    const kinds = [schema.type ?? []].flat();
    if (this.#fieldsOf(schema) !== null) return scope + this.#declare(name, schema);
    if (kinds.length === 0 && schema.allOf?.length === 1) return this.typeOf(schema.allOf[0], name, scope);
    return kinds.length === 0 ? 'Any' : unionOf(kinds.map((kind) => this.#kindOf(kind, schema, name, scope)));
  }

  #kindOf(kind: string, { additionalProperties, items }: Schema, name: string, scope: string): string {
    if (kind === 'array') return `list[${this.typeOf(items, `${name}Item`, scope)}]`;
    if (kind !== 'object') return SCALARS[kind] ?? 'Any';
    const values = typeof additionalProperties === 'object' ? additionalProperties : {};
    return `dict[str, ${this.typeOf(values, `${name}Value`, scope)}]`;
  }

  /** The fields of an object and of the objects that it extends; null if it names none. */
  #fieldsOf(schema: Schema): { properties: Record<string, Schema>; required: Set<string> } | null {
    const parts = [...(schema.allOf ?? []).map((part) => this.resolve(part)), schema];
    const properties = Object.assign({}, ...parts.map((part) => part.properties));
    if (Object.keys(properties).length === 0) return null;
    return { properties, required: new Set(parts.flatMap(({ required = [] }) => required)) };
  }

  #declare(wanted: string, schema: Schema): string {
    let name = wanted;
    for (let count = 2; this.#declarations.has(name); count += 1) name = `${wanted}${count}`;
    this.#declarations.set(name, '');
    this.#declarations.set(name, this.#classOf(name, schema));
    return name;
  }

  #alias(name: string, schema: Schema): string {
    return `${name}: TypeAlias = ${JSON.stringify(this.typeOf(schema, `${name}Value`))}\n`;
  }

  #classOf(name: string, schema: Schema): string {
    const { properties = {}, required = new Set() } = this.#fieldsOf(schema) ?? {};
    const fields = Object.entries(properties).map(([field, declared]) => {
      const type = this.typeOf(declared, name + pascalCase(field));
      return { field, type: required.has(field) ? type : `NotRequired[${type}]`, text: declared.description };
    });
    if (!fields.every(({ field }) => isName(field))) {
      const pairs = fields.map(({ field, type }) => `    ${JSON.stringify(field)}: ${JSON.stringify(type)},`);
      return [`${name} = TypedDict("${name}", {`, ...pairs, '})', ''].join('\n');
    }
    const lines = fields.flatMap(({ field, type, text }) => [
      `    ${field}: ${type}`,
      ...docstring(text, '    '),
    ]);
    return [`class ${name}(TypedDict):`, ...docstring(schema.description, '    '), ...lines, ''].join('\n');
  }
}

function literalsOf(values: NonNullable<Schema['enum']>): string {
  const named = values.filter((value) => value !== null).map(literal);
  const types = named.length === 0 ? [] : [`Literal[${named.join(', ')}]`];
  return [...types, ...(values.includes(null) ? ['None'] : [])].join(' | ');
}

function unionOf(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes('Any')) return 'Any';
  return [...distinct.filter((type) => type !== 'None'), ...distinct.filter((type) => type === 'None')].join(
    ' | ',
  );
}
