import { invalidInput, storeUnavailable } from '@gateway/core';
import { CHANGE_ID } from '@gateway/jobs';
import { isRedisUnavailable } from '@gateway/store';
import type { StreamTicket } from '../../auth/stream-ticket-shape.ts';
import { issueStreamTicket, ticketSubject } from '../../auth/stream-tickets.ts';
import { ProjectStream } from '../../http/streams/project-stream.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { eventTypes } from './shapes.ts';

export interface EventsQuery {
  ticket?: string;
  /** Separated by commas. */
  types?: string;
  last_event_id?: string;
}

export async function followProject(request: RequestContext<unknown, EventsQuery>): Promise<ProjectStream> {
  const { app, caller, query } = request;
  const lastEventId = lastEventIdOf(request);
  const { newest, isFound } = await listen(request, lastEventId);
  const hasMissedEvents = lastEventId !== '' && !isFound;
  return new ProjectStream({
    relay: app.relay,
    changes: app.changes,
    listeners: app.listeners,
    request: request.request,
    caller,
    credentials: request.credentials,
    types: new Set<string>(query.types?.split(',') ?? eventTypes),
    position: isFound ? lastEventId : newest,
    hasMissedEvents,
    authenticate: () => request.authenticate(),
  });
}

export async function createEventsTicket(request: RequestContext): Promise<StreamTicket> {
  const { app, caller, callerToken: token } = request;
  return issueStreamTicket(app, ticketSubject(undefined), { token, projectId: caller.identity.projectId });
}

async function listen({ app, caller }: RequestContext<unknown, EventsQuery>, lastEventId: string) {
  try {
    return await app.changes.listen(caller.identity.projectId, lastEventId);
  } catch (cause) {
    if (!isRedisUnavailable(cause)) throw cause;
    throw storeUnavailable('Events are not available right now.', { cause, retryAfterSeconds: 5 });
  }
}

/** The header takes precedence: a client that reconnects sets it, while its URL stays the same. */
function lastEventIdOf(request: RequestContext<unknown, EventsQuery>): string {
  const header = request.header('last-event-id') ?? '';
  if (header === '') return request.query.last_event_id ?? '';
  if (CHANGE_ID.test(header)) return header;
  throw invalidInput('The last event id is not the id of an event.', {
    errors: [{ field: 'header.Last-Event-ID', message: 'must be the id of an event' }],
  });
}
