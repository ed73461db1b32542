import { compareEndpoint, operationOf } from './compare.ts';
import type { ContractEndpoint } from './contract.ts';
import * as exceptions from './exceptions.ts';
import type { Document } from './openapi.ts';

export type Exceptions = typeof exceptions;

/**
 * The differences between an OpenAPI document and the contract, without the listed exceptions. The document
 * may have further endpoints.
 */
export function checkRoutes(
  contract: readonly ContractEndpoint[],
  document: Document,
  { DEVIATIONS, NOT_SERVED }: Exceptions = exceptions,
): string[] {
  const found = contract.flatMap((wanted) => {
    const at = wanted.endpoint;
    const operation = operationOf(wanted, document);
    const isListed = NOT_SERVED.includes(at);
    if (operation === undefined) return isListed ? [] : [`${at} is not served`];
    if (isListed) return [`${at} is served: remove it from NOT_SERVED`];
    return compareEndpoint(wanted, operation, document).map((problem) => `${at}: ${problem}`);
  });
  const known = contract.map(({ endpoint }) => endpoint);
  return [
    ...without(found, DEVIATIONS),
    ...without(DEVIATIONS, found).map((problem) => `no longer true: ${problem}`),
    ...without(NOT_SERVED, known).map((endpoint) => `${endpoint} is not in the contract`),
  ];
}

function without(all: readonly string[], some: readonly string[]): string[] {
  return all.filter((one) => !some.includes(one));
}
