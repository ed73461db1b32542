import type { Operation, Verb } from './operation.ts';

/** What the OpenAPI document declares. */
export interface Catalog {
  version: string;
  operations: Operation[];
  /** The HTTP status of each error code. */
  errorStatuses: Record<string, number>;
}

export function operationOf({ operations }: Catalog, verb: Verb, noun: string): Operation | undefined {
  return operations.find((operation) => operation.verb === verb && operation.noun === noun);
}

export function listAt({ operations }: Catalog, path: string): Operation | undefined {
  return operations.find((operation) => operation.verb === 'list' && operation.path === path);
}
