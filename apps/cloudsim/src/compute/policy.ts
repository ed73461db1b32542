import { badRequest, forbidden } from '../common/service-error.ts';
import type { ComputeCall } from './cloud.ts';

export function denied(rule: string): Error {
  return forbidden(`Policy doesn't allow os_compute_api:${rule} to be performed.`);
}

export function requireAdmin(call: ComputeCall, rule: string): void {
  if (!call.caller.isAdmin) throw denied(rule);
}

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

export function selfAndBookmark(base: string, path: string): object[] {
  return [
    { rel: 'self', href: `${base}/${path}` },
    { rel: 'bookmark', href: `${base.replace(/\/v2\.1$/, '')}/${path}` },
  ];
}
