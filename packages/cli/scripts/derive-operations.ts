import { singular } from '../src/catalog/nouns.ts';
import type { Field, Operation, Parameter, Verb } from '../src/catalog/operation.ts';
import { type OpenApiDocument, type OpenApiOperation, SchemaReader } from './document.ts';
import { isParameter, namedSegments, pluralNoun } from './nouns.ts';

/** Reports of machines. */
const EXCLUDED_TAGS = ['instance-callback', 'file-storage-callback', 'lite-callback'];
/** Log-in and the session have commands of their own. Metrics are for scrapers, tickets for pages. */
const EXCLUDED =
  /^(?:\S+ \/api\/auth\/(?!projects|sessions|application-credentials|providers|clouds|openrc)|DELETE \/api\/auth\/sessions$|GET \/api\/metrics|\S+ \S+\/ticket$)/;
/** The lists of names that a path or a field has another word for. */
const LISTS: Record<string, string> = {
  '/api/volumes/backups/auto-backup': '/api/volumes',
  '/api/volumes/transfer': '/api/volumes/transfers',
  '/api/admin/gpu-quotas': '/api/admin/projects',
  '/api/admin/quotas': '/api/admin/projects',
};

/**
 * The commands of an OpenAPI document. An endpoint whose name another one has already, or that answers with a
 * stream of other events, has none: `gateway api` reaches it.
 */
export function deriveOperations(document: OpenApiDocument): Operation[] {
  const derivation = new Derivation(document);
  const operations = new Map<string, Operation>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, declared] of Object.entries(methods)) {
      const operation = derivation.operationOf(method.toUpperCase(), path, declared);
      if (operation === null) continue;
      const { verb, noun, action = '', streams } = operation;
      const name = `${verb} ${verb === 'list' ? singular(noun) : noun} ${action}`;
      // A creation that reports its progress replaces the one that waits for its end.
      if (!operations.has(name) || streams) operations.set(name, operation);
    }
  }
  return [...operations.values()].map((operation) => followed(operation, operations));
}

/** An action that may take longer than a program waits for a response is followed, where it can be. */
function followed(operation: Operation, operations: ReadonlyMap<string, Operation>): Operation {
  if (operation.verb !== 'action') return operation;
  const path = `${operation.path}/async`;
  const other = [...operations.values()].find((one) => one.streams && one.path === path);
  return other === undefined ? operation : { ...operation, method: other.method, path, streams: true };
}

class Derivation {
  readonly #document: OpenApiDocument;
  readonly #schemas: SchemaReader;
  /** The paths of the lists by their nouns. */
  readonly #lists = new Map<string, string>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#schemas = new SchemaReader(document);
    for (const [path, { get }] of Object.entries(document.paths)) {
      if (get !== undefined && this.#schemas.rowsOf(get) !== null) {
        this.#lists.set(pluralNoun(namedSegments(path)), path);
      }
    }
  }

  operationOf(method: string, path: string, declared: OpenApiOperation): Operation | null {
    if (EXCLUDED.test(`${method} ${path}`) || declared.tags.some((tag) => EXCLUDED_TAGS.includes(tag)))
      return null;
    if ('303' in declared.responses || method === 'HEAD') return null;
    const streams = this.#schemas.isStream(declared);
    if (streams && method === 'GET') return null;
    const body = this.#schemas.bodyOf(declared);
    const rows = isRead(method, body !== null) ? this.#schemas.rowsOf(declared) : null;
    const named = namedSegments(streams ? path.replace(/\/async$/, '') : path);
    const isAction = rows === null && this.#isAction(method, path, streams);
    const noun = pluralNoun(isAction ? named.slice(0, -1) : named);
    const verb = isAction ? 'action' : rows !== null ? 'list' : verbOf(method, body !== null);
    return {
      verb,
      noun: verb === 'list' ? noun : singularUnlessWhole(noun, named, verb),
      ...(isAction && { action: named.at(-1) ?? '' }),
      method,
      path,
      summary: declared.summary ?? '',
      parameters: this.#parametersOf(path),
      query: this.#schemas.queryOf(declared).map((field) => this.#withList(field, path)),
      ...(body && { body: body.map((field) => this.#withList(field, path)) }),
      ...(rows && { columns: rows.columns }),
      ...(rows?.isPage && { isPage: true }),
      ...(streams && { streams }),
    };
  }

  /** Whether the last segment is a verb, such as `reboot`. */
  #isAction(method: string, path: string, streams: boolean): boolean {
    const segments = path.split('/');
    if (isParameter(segments.at(-1) ?? '') || streams) return false;
    if (method === 'PUT' || method === 'PATCH') return segments.some(isParameter);
    if (method !== 'POST' || path === '/api/networks/{network_id}/subnets') return false;
    const { get, delete: remove } = this.#document.paths[path] ?? {};
    const hasItems = Object.keys(this.#document.paths).some(
      (other) => other.startsWith(`${path}/{`) && other.split('/').length === segments.length + 1,
    );
    return get === undefined && remove === undefined && !hasItems;
  }

  #parametersOf(path: string): Parameter[] {
    const segments = path.split('/');
    return segments.flatMap((segment, index) => {
      if (!isParameter(segment)) return [];
      const before = segments.slice(0, index).join('/');
      const list =
        this.#listAt(LISTS[before] ?? before) ?? this.#listAt(before.replace('/admin/', '/admin/all-'));
      return [{ name: segment.slice(1, -1), ...(list !== undefined && { list }) }];
    });
  }

  #listAt(path: string): string | undefined {
    return [...this.#lists.values()].find((list) => list === path);
  }

  /** `image_id` and `image_ids` name a row of the images, `agent_flavor_id` one of the flavors. */
  #withList(field: Field, path: string): Field {
    const [, stem] = /^(.*)_ids?$/.exec(field.name) ?? [];
    if (stem === undefined || (field.type !== 'string' && field.type !== 'strings')) return field;
    const words = stem.split('_');
    const prefixes = path.startsWith('/api/admin/') ? ['admin-', ''] : [''];
    for (const [index] of words.entries()) {
      const wanted = words.slice(index).join('-');
      for (const prefix of prefixes) {
        const found = [...this.#lists].find(
          ([noun, list]) => singular(noun) === `${prefix}${wanted}` && !list.includes('{'),
        );
        if (found !== undefined) return { ...field, list: found[1] };
      }
    }
    return field;
  }
}

/** A `POST` that takes nothing and responds with a list reads, too. */
function isRead(method: string, hasBody: boolean): boolean {
  return method === 'GET' || (method === 'POST' && !hasBody);
}

function verbOf(method: string, hasBody: boolean): Exclude<Verb, 'action' | 'list'> {
  if (method === 'GET') return 'show';
  if (method === 'POST') return 'create';
  if (method === 'DELETE') return 'delete';
  return hasBody ? 'update' : 'create';
}

/** A record that is one for the whole path, such as `admin-services`, keeps its name. */
function singularUnlessWhole(noun: string, segments: readonly string[], verb: Verb): string {
  return verb === 'show' && !segments.some(isParameter) ? noun : singular(noun);
}
