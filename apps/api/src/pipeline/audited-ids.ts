import type { Response } from 'express';
import { addLocals } from '../http/response/gateway-response.ts';
import { bodyOf, Reply } from '../http/response/reply.ts';
import { JobStream } from '../http/streams/event-streams.ts';
import type { AnyEndpoint, EndpointInput } from './endpoint.ts';

const CREATED = 201;

/** Adds the ids of what the request has created or changed to those in its path, for the audit log. */
export function addAuditedIds(
  endpoint: Pick<AnyEndpoint, 'auditedIds' | 'status'>,
  response: Pick<Response, 'locals'>,
  input: EndpointInput,
  result: unknown,
): void {
  const ids = idsOf(endpoint, input, result);
  if (ids.length === 0) return;
  const { resourceId: pathIds } = response.locals;
  addLocals(response, { resourceId: [pathIds ?? [], ids].flat().join('/') });
}

function idsOf(
  { auditedIds, status: declared = 200 }: Pick<AnyEndpoint, 'auditedIds' | 'status'>,
  input: EndpointInput,
  result: unknown,
): readonly string[] {
  if (result instanceof JobStream) return result.createdId === null ? [] : [result.createdId];
  const status = result instanceof Reply ? result.status : declared;
  const body = bodyOf(result);
  if (auditedIds !== undefined) return auditedIds(body, input);
  const { id } = (body ?? {}) as { id?: unknown };
  return status === CREATED && typeof id === 'string' ? [id] : [];
}
