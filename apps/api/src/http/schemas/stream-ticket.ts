import Joi from 'joi';
import type { StreamTicket } from '../../auth/stream-tickets.ts';
import { shape, timestamp } from './fields.ts';

export const ticketShape = shape<StreamTicket>('StreamTicket', {
  ticket: Joi.string(),
  expires_at: timestamp(),
});
