import { badRequest } from '../common/service-error.ts';

export function malformed(): Error {
  return badRequest('Malformed request body');
}

export function limitIn(query: URLSearchParams, highest = 1000): number {
  const text = query.get('limit');
  if (text === null) return highest;
  if (!/^[0-9]*$/.test(text))
    throw badRequest(
      `Invalid input for query parameters limit. Value: ${text}. '${text}' does not match '^[0-9]*$'`,
    );
  return Math.min(Number(text) || highest, highest);
}
