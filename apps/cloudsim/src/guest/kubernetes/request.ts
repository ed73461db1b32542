import type { Json } from '../../common/json.ts';
import { type Collection, collectionOf } from './objects.ts';

/** A request from an authenticated sender. */
export interface KubernetesRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  contentType: string;
  body: Json | undefined;
  caller: Caller;
}

export interface Caller {
  name: string;
  isAdmin: boolean;
}

export interface KubernetesReply {
  status: number;
  /** JSON, or plain text. */
  body: object | string;
}

/** The object or collection in the path of a request. */
export interface Target {
  collection: Collection;
  namespace?: string;
  name?: string;
  subresource?: string;
}

/** Null for a path without a known collection. */
export function targetOf(path: string): Target | null {
  const parts = path.split('/').slice(1).map(decodeURIComponent);
  const groupLength = parts[0] === 'api' ? 2 : 3;
  const rest = parts.slice(groupLength);
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2;
  const [resource = '', name, subresource] = isNamespaced ? rest.slice(2) : rest;
  const collection = collectionOf(parts.slice(0, groupLength).join('/'), resource);
  if (collection === undefined) return null;
  return {
    collection,
    ...(isNamespaced && rest[1] !== undefined && { namespace: rest[1] }),
    ...(name !== undefined && { name }),
    ...(subresource !== undefined && { subresource }),
  };
}

/** The body of every failure. */
export function failure(
  code: number,
  reason: string,
  message: string,
  details: object = {},
): KubernetesReply {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  return { status: code, body: { ...status, message, reason, details, code } };
}

export function notFound({ collection, name }: Target): KubernetesReply {
  const { resource } = collection;
  const details = { name, kind: resource };
  return failure(404, 'NotFound', `${resource} "${name}" not found`, details);
}
