import Joi from 'joi';
import { shape, text } from './fields.ts';

/** A router as lists show it, also the lists of other resources. */
export const routerShape = shape(
  'Router',
  {
    id: Joi.string(),
    name: text(),
    status: Joi.string(),
    project_id: Joi.string(),
    external_gateway_network_id: Joi.string().allow(null),
    connected_subnet_ids: Joi.array().items(Joi.string()),
  },
  () => ({ status: 'ACTIVE' }),
);
