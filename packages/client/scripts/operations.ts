interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, unknown> }>;
}

/**
 * The module that maps each endpoint, such as `GET /api/images`, to the generated types of its input and its
 * successful responses. Event streams have methods of their own.
 */
export function operationsOf(document: Record<string, unknown>): string {
  const paths = document.paths as Record<string, Record<string, Operation>>;
  const lines = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([_method, operation]) => !isStream(operation) && !isRedirect(operation))
      .map(([method, { operationId }]) => {
        const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
        return `  '${method.toUpperCase()} ${path}': [types.${name}Data, types.${name}Responses];`;
      }),
  );
  return [
    "import type * as types from './types.gen.ts';",
    '',
    '/** The input and the successful responses of each endpoint that answers with neither stream nor redirect. */',
    'export interface Operations {',
    ...lines,
    '}',
    '',
  ].join('\n');
}

function isStream({ responses }: Operation): boolean {
  return Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content);
}

/** An address for browsers, not for requests of scripts. */
function isRedirect({ responses }: Operation): boolean {
  return '303' in responses;
}
