import type { ServerResponse } from 'node:http';
import type { NamedResource } from '@gateway/activity';
import type { Identity } from '@gateway/openstack';

/** What is known about a request so far, for the request log, the trace and the audit records. */
interface RequestLocals {
  requestId: string;
  /** As it was declared: `/api/admin/users/:user_id`. */
  route?: string;
  /** The client's address. A closed connection has none. */
  address?: string;
  projectId?: string;
  userId?: string;
  userName?: string;
  /** A hash of the domain and name of a log-in. */
  nameHash?: string;
  /** The project that the request names in its path, query or body. */
  targetProjectId?: string;
  /** What the path names, and what was created or changed. */
  resources?: readonly NamedResource[];
  /** What a request that succeeded could not remove. */
  leftovers?: readonly string[];
  /** The job that the request has started or follows. */
  jobId?: string;
  /** The method is that of a write, but the endpoint only reads. */
  onlyReads?: boolean;
  /** The code of an error response. */
  errorCode?: string;
  /** The readers of writes know how the request is answered. */
  isReported?: boolean;
  /** The response is that of an earlier request with the same idempotency key. */
  replayed?: boolean;
}

declare global {
  namespace Express {
    interface Locals extends RequestLocals {}
  }
}

/** A response with `locals`, as in Express. */
export type GatewayResponse = ServerResponse & { locals: RequestLocals };

type WithLocals = Pick<GatewayResponse, 'locals'>;

/** The client has disconnected before the response was complete. */
const CLIENT_CLOSED_REQUEST = 499;

export function addLocals({ locals }: WithLocals, added: Partial<RequestLocals>): void {
  Object.assign(locals, added);
}

/** Who sends a request, and the project in which they work. */
export type IdentifiedUser = Pick<Identity, 'userId' | 'userName'> & Partial<Pick<Identity, 'projectId'>>;

/** Adds the caller. */
export function addCaller({ locals }: WithLocals, { projectId, userId, userName }: IdentifiedUser): void {
  locals.projectId = projectId;
  locals.userId = userId;
  locals.userName = userName;
}

export function requestIdOf({ locals }: WithLocals): string {
  return locals.requestId;
}

/** The status of a response that has ended; 499 if the client did not wait for it. */
export function finalStatusOf(response: Pick<ServerResponse, 'statusCode' | 'writableFinished'>): number {
  return response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST;
}
