import {
  type OpenApiDocument,
  type OpenApiOperation,
  type RequestBody,
  referredName,
  type Schema,
} from './document.ts';
import { docstring, pascalCase, snakeCase } from './python-text.ts';
import { PythonTypes } from './python-types.ts';

const JSON_TYPE = 'application/json';
const HEADER =
  '# Generated from the OpenAPI document of the gateway.\n\nfrom __future__ import annotations\n';

/** The two modules of the Python package that follow from the document. */
export interface GeneratedModules {
  /** The types of bodies and responses. */
  models: string;
  /** A function for each endpoint, which returns the request. */
  api: string;
}

export function pythonModules(document: OpenApiDocument): GeneratedModules {
  const types = new PythonTypes(document);
  const requests = new Requests(document, types);
  const functions = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => requests.functionOf(method, path, operation)),
  );
  const { properties = {} } = types.resolve({ $ref: '#/components/schemas/ResourceEvent' });
  if (properties.type !== undefined) types.declareAlias('WatchedType', properties.type);
  return {
    models: [
      HEADER,
      'import sys\nfrom typing import Any, Literal, TypeAlias, TypedDict\n',
      'if sys.version_info >= (3, 11):\n    from typing import NotRequired\nelse:\n    from typing_extensions import NotRequired\n\n',
      types.text,
    ].join('\n'),
    api: [
      HEADER,
      'from typing import Any, Literal\n',
      'from . import models\nfrom ._requests import (\n    JobRequest,\n    PageRequest,\n    Request,\n    RowsRequest,\n    WatchablePageRequest,\n    WatchableRowsRequest,\n    path_segment,\n)\n\n',
      functions.join('\n\n'),
    ].join('\n'),
  };
}

/** An argument of a function, and the field of the request. */
interface Argument {
  name: string;
  argument: string;
  type: string;
  isRequired: boolean;
}

class Requests {
  readonly #document: OpenApiDocument;
  readonly #types: PythonTypes;

  constructor(document: OpenApiDocument, types: PythonTypes) {
    this.#document = document;
    this.#types = types;
  }

  /** Nothing for the streams that `follow` and `watch` read, and for addresses of browsers. */
  functionOf(method: string, path: string, operation: OpenApiOperation): string[] {
    const { operationId, requestBody, responses, summary = '' } = operation;
    const isStream = Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content);
    if ((isStream && method === 'get') || method === 'head' || '303' in responses) return [];
    const name = pascalCase(operationId);
    const inPath = this.#argumentsOf(operation, 'path', name);
    const query = this.#argumentsOf(operation, 'query', name);
    // A filter may have the name of a parameter of the path.
    for (const field of query)
      if (inPath.some(({ argument }) => argument === field.argument)) field.argument += '_';
    const endpoint = `${method.toUpperCase()} ${path}`;
    const kind = isStream ? this.#jobOf(operation, name) : this.#kindOf(operation, name, query);
    const signature = [
      ...inPath.map(declared),
      ...(requestBody === undefined ? [] : [this.#body(requestBody, name)]),
      ...(query.length === 0 ? [] : ['*']),
      // Those without a default come first.
      ...query.filter(({ isRequired }) => isRequired).map(declared),
      ...query.filter(({ isRequired }) => !isRequired).map(declared),
    ];
    const sent = [
      JSON.stringify(method.toUpperCase()),
      filledPath(path),
      ...(query.length === 0
        ? []
        : [`query={${query.map((field) => `"${field.name}": ${field.argument}`).join(', ')}}`]),
      ...(requestBody === undefined ? [] : ['body=body']),
      ...(kind.startsWith('Watchable') ? [`watched="${operation['x-event-type']}"`] : []),
      // The first parameter names the resource that the list is part of.
      ...(kind.startsWith('Watchable') && inPath[0] !== undefined ? [`of=${inPath[0].argument}`] : []),
    ];
    const lines = [
      ...beginningOf(snakeCase(operationId), signature, kind),
      ...docstring(`${summary}: \`${endpoint}\``, '    '),
      `    return ${kind.slice(0, kind.indexOf('['))}(${sent.join(', ')})`,
      '',
    ];
    return [lines.join('\n')];
  }

  #argumentsOf({ parameters = [] }: OpenApiOperation, place: string, operation: string): Argument[] {
    return parameters.flatMap((declaration) => {
      const parameter =
        '$ref' in declaration
          ? this.#document.components.parameters[referredName(declaration.$ref)]
          : declaration;
      if (parameter?.in !== place) return [];
      const { name, required = false, schema } = parameter;
      const type = this.#types.typeOf(schema, operation + pascalCase(name), 'models.');
      return { name, argument: snakeCase(name), type, isRequired: required };
    });
  }

  #body({ content, required = false }: RequestBody, name: string): string {
    const type = this.#types.typeOf(content[JSON_TYPE]?.schema, `${name}Body`, 'models.');
    return declared({ name: 'body', argument: 'body', type, isRequired: required });
  }

  #jobOf({ responses }: OpenApiOperation, name: string): string {
    const schema = responses[200]?.content?.['text/event-stream']?.schema;
    return `JobRequest[${this.#types.typeOf(schema, `${name}Message`, 'models.')}]`;
  }

  #kindOf(operation: OpenApiOperation, name: string, query: readonly Argument[]): string {
    const schema = operation.responses[200]?.content?.[JSON_TYPE]?.schema;
    const { items, properties = {}, type } = this.#types.resolve(schema);
    const watchable = operation['x-event-type'] === undefined ? '' : 'Watchable';
    const isPaged = query.some((field) => field.name === 'marker');
    const rowOf = (row: Schema | undefined) => this.#types.typeOf(row, `${name}Row`, 'models.');
    if (isPaged && type === 'array' && schema?.$ref === undefined)
      return `${watchable}RowsRequest[${rowOf(items)}]`;
    const response = this.#responseOf(operation, name);
    if (isPaged && properties.next_marker !== undefined)
      return `${watchable}PageRequest[${response}, ${rowOf(this.#types.resolve(properties.items).items)}]`;
    return `Request[${response}]`;
  }

  #responseOf({ responses }: OpenApiOperation, name: string): string {
    const successful = Object.entries(responses).filter(
      // The client sends no preferences.
      ([status, { headers = {} }]) => status.startsWith('2') && !('Preference-Applied' in headers),
    );
    const types = successful.flatMap(([_status, { content = {} }]) => {
      const bodies = Object.entries(content);
      return bodies.length === 0
        ? ['None']
        : bodies.map(([type, { schema }]) => this.#contentOf(type, schema, name));
    });
    return [...new Set(types)].join(' | ') || 'None';
  }

  #contentOf(type: string, schema: Schema | undefined, name: string): string {
    if (type === JSON_TYPE) return this.#types.typeOf(schema, `${name}Response`, 'models.');
    return type.startsWith('text/') ? 'str' : 'bytes';
  }
}

function declared({ argument, type, isRequired }: Argument): string {
  return isRequired ? `${argument}: ${type}` : `${argument}: ${type.replace(/ \| None$/, '')} | None = None`;
}

function beginningOf(name: string, signature: readonly string[], kind: string): string[] {
  if (signature.length === 0) return [`def ${name}() -> ${kind}:`];
  return [`def ${name}(`, ...signature.map((line) => `    ${line},`), `) -> ${kind}:`];
}

/** The path as a literal, or with its parameters as a formatted one. */
function filledPath(path: string): string {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => `{path_segment(${snakeCase(name)})}`);
  return filled === path ? `"${path}"` : `f"${filled}"`;
}
