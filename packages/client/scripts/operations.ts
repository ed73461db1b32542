interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, unknown>; headers?: Record<string, unknown> }>;
}

/**
 * The module that maps each endpoint, such as `GET /api/images`, to the generated types of its input and its
 * successful responses. Those that start a job and stream its events are separate.
 */
export function operationsOf(document: Record<string, unknown>): string {
  const paths = document.paths as Record<string, Record<string, Operation>>;
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => method !== 'head')
      .map(([method, operation]) => ({ path, method, operation })),
  );
  const plain = all.filter(({ operation }) => !isStream(operation) && !isRedirect(operation));
  const streams = all.filter(({ method, operation }) => method === 'post' && isStream(operation));
  return [
    "import type * as types from './types.gen.ts';",
    '',
    '/** The input and the successful responses of each endpoint that answers with neither stream nor redirect. */',
    'export interface Operations {',
    ...plain.map(toLine),
    '}',
    '',
    '/** The input and the events of each endpoint that starts a job and streams its events. */',
    'export interface Streams {',
    ...streams.map(toLine),
    '}',
    '',
  ].join('\n');
}

interface DocumentedAction {
  method: string;
  path: string;
  id: string;
  fixed: Record<string, string>;
}

/** The module with the requests of all actions on rows, from `x-actions` of the document. */
export function actionsOf(document: Record<string, unknown>): string {
  const documented = document['x-actions'] as Record<string, Record<string, DocumentedAction>>;
  const paths = document.paths as Record<string, Record<string, Operation>>;
  const ofResources = Object.entries(documented).map(([resource, actions]) => {
    const requests = Object.entries(actions).map(([name, { fixed, id, method, path }]) => {
      const operation = paths[path]?.[method.toLowerCase()];
      const ofBody = Object.entries(fixed).map(([field, value]) => [field.replace('body.', ''), value]);
      return [
        name,
        {
          endpoint: `${method} ${path}`,
          id,
          fixed: Object.fromEntries(ofBody),
          isStream: operation !== undefined && isStream(operation),
        },
      ];
    });
    return [resource, Object.fromEntries(requests)];
  });
  return [
    '/** The requests of the values of `allowed_actions`, by resource. */',
    `export const actions = ${JSON.stringify(Object.fromEntries(ofResources), null, 1)} as const;`,
    '',
  ].join('\n');
}

function toLine({ method, operation, path }: { method: string; operation: Operation; path: string }): string {
  const name = operation.operationId.charAt(0).toUpperCase() + operation.operationId.slice(1);
  const preferred = Object.entries(operation.responses).flatMap(([status, { headers = {} }]) =>
    'Preference-Applied' in headers ? [status] : [],
  );
  // The client sends no preferences.
  const all = `types.${name}Responses`;
  const responses = preferred.length === 0 ? all : `Omit<${all}, ${preferred.join(' | ')}>`;
  return `  '${method.toUpperCase()} ${path}': [types.${name}Data, ${responses}];`;
}

function isStream({ responses }: Operation): boolean {
  return Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content);
}

/** An address for browsers, not for requests of scripts. */
function isRedirect({ responses }: Operation): boolean {
  return '303' in responses;
}
