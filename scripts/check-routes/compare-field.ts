import { isDeepStrictEqual } from 'node:util';
import type { ContractField } from './contract.ts';
import type { Schema } from './openapi.ts';

const LIMITS = ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern'] as const;

type FoundField = Schema & { isRequired: boolean };

/** The differences between a field of a request and the contract. */
export function compareField(name: string, wanted: ContractField, found: FoundField | undefined): string[] {
  if (found === undefined) return [`has no field ${name}`];
  const { isRequired, type, items } = wanted;
  return [
    // The contract does not state for every field whether it is required.
    ...(isRequired !== undefined && isRequired !== found.isRequired
      ? [`${name} is required: ${!isRequired}`]
      : []),
    ...(type !== undefined && !sameValues(type, [found.type ?? []].flat())
      ? [`${name} is ${found.type}, not ${type}`]
      : []),
    ...(items?.type !== undefined && !sameValues(items.type, [found.items?.type ?? []].flat())
      ? [`${name} has items of ${found.items?.type}, not ${items.type}`]
      : []),
    ...(wanted.enum !== undefined && !sameValues(wanted.enum, found.enum ?? [])
      ? [`${name} allows ${found.enum}, not ${wanted.enum}`]
      : []),
    ...(isDeepStrictEqual(wanted.default, found.default)
      ? []
      : [`${name} is ${found.default} by default, not ${wanted.default}`]),
    ...LIMITS.filter((limit) => wanted[limit] !== undefined && wanted[limit] !== found[limit]).map(
      (limit) => `${name} has the ${limit} ${found[limit]}, not ${wanted[limit]}`,
    ),
  ];
}

function sameValues(wanted: readonly unknown[], found: readonly unknown[]): boolean {
  return isDeepStrictEqual(new Set(wanted), new Set(found));
}
