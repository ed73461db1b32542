import { invalidResponseError } from '../errors/from-response.ts';

/**
 * The description of a resource of the network service, for those who search for a mark.
 *
 * @throws 502 if the service does not say it: the resource may have the mark
 */
export function descriptionOf({ description, id }: { description: string | null; id: string }): string {
  if (description !== null) return description;
  const context = { service: 'network', operation: 'marks.find' } as const;
  throw invalidResponseError(context, { status: 200 }, `The resource ${id} has no description.`);
}
