import { nonEmptyText, shapeLike, timestamp } from '@gateway/core/shapes';
import type { StreamTicket } from '../../auth/stream-tickets.ts';

export const ticketShape = shapeLike<StreamTicket>('StreamTicket', {
  ticket: nonEmptyText('mY0v1yJr3mB5oE9uQ2pXk7cTzL4aWf8sHd6gNi0qRbU'),
  expires_at: timestamp('2026-11-22T10:30:00Z'),
});
