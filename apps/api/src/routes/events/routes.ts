import { CHANGE_ID } from '@gateway/jobs';
import Joi from 'joi';
import { streamTicketShape } from '../../auth/stream-ticket-shape.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { createEventsTicket, type EventsQuery, followProject } from './handlers.ts';
import { eventTypes, resourceEventShape } from './shapes.ts';

const tag = { name: 'events', description: 'What changes in a project' };

const known = new Set<string>(eventTypes);

export const eventEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/events',
    tag,
    summary: 'What changes in the project, live, or from the event in `Last-Event-ID` on',
    description: [
      'A stream of events without an end. Each says which resource has changed: `type`, `id`, `change` (`created`, `updated`',
      'or `deleted`), `state` (as in its list; null if it has none) and `job_id` (the job that has changed it, if it is known).',
      'It never has contents: a read that follows an event sees the change. The gateway reports its own changes at once, and',
      'what changes in the cloud itself at the next poll of the list. A key pair has its name as `id`, and only its user',
      'learns of it.',
      '\n\nThe first event is named `ready`; from then on nothing is missed, so read the lists after it. An event named `reset`',
      'means that events may be missing: read the lists of its `types` again. It comes first if the log of the project no',
      'longer has the position in `Last-Event-ID`, and while the stream is open when a list is polled for the first time.',
      '\n\nThe stream ends when the session does, and, after a comment, when the server is shutting down. Connect again with the',
      "id of the last event. A browser's `EventSource` can set no headers: it takes a ticket in their place",
      '(`POST /api/events/ticket`), which is valid once, and `last_event_id`.',
    ].join(' '),
    access: 'project',
    acceptsTicket: true,
    query: Joi.object<EventsQuery>({
      // Only authentication reads this field.
      ticket: Joi.string().description('In place of token and project: a ticket for this stream.'),
      types: Joi.string()
        .custom((text: string, helpers) =>
          text.split(',').every((type) => known.has(type)) ? text : helpers.error('types.unknown'),
        )
        .messages({ 'types.unknown': `must be types, separated by commas: ${eventTypes.join(', ')}` })
        .description(
          `The types of the events, separated by commas; all by default: \`${eventTypes.join('`, `')}\`.`,
        ),
      last_event_id: Joi.string()
        .pattern(CHANGE_ID)
        .messages({ 'string.pattern.base': 'must be the id of an event' })
        .description(
          'The same as `Last-Event-ID`, for clients that cannot set headers. The header takes precedence.',
        ),
    }).meta({ example: () => ({ types: 'instance,volume', last_event_id: '1767268800000-0' }) }),
    headers: {
      'Last-Event-ID': {
        description: 'The `id` of the last event that the client received. The stream continues after it.',
        schema: { type: 'string', pattern: CHANGE_ID.source },
      },
    },
    response: resourceEventShape,
    produces: 'text/event-stream',
    handler: followProject,
  }),
  endpoint({
    method: 'POST',
    path: '/api/events/ticket',
    tag,
    summary: 'A ticket to follow the changes of the project without headers',
    description:
      "For a browser's `EventSource`: `GET /api/events?ticket=...`. It is valid once, for this stream, and for a minute unless the gateway is configured otherwise; it is refused when the session has ended before.",
    access: 'project',
    status: 201,
    response: streamTicketShape,
    rateLimits: ['streamTicket'],
    secret: true,
    writes: 'unseen',
    handler: createEventsTicket,
  }),
];
