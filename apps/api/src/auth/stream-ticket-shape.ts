import { nonEmptyText, type ShapeType, shape, timestamp } from '@gateway/core/shapes';

export const streamTicketShape = shape('StreamTicket', {
  ticket: nonEmptyText('mY0v1yJr3mB5oE9uQ2pXk7cTzL4aWf8sHd6gNi0qRbU'),
  expires_at: timestamp('2026-11-22T10:30:00Z'),
});

export type StreamTicket = ShapeType<typeof streamTicketShape>;
