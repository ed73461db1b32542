import type { RemoteConsole } from '@gateway/openstack';
import Joi from 'joi';
import { shape, text } from '../../http/schemas/fields.ts';

export const consoleShape = shape<Pick<RemoteConsole, 'url' | 'type'>>(
  'InstanceConsole',
  {
    url: Joi.string().description('Grants access to the console. Expires after some minutes.'),
    type: Joi.string().description('As in the compute service: `novnc`, `spice-html5` or `serial`.'),
  },
  () => ({ type: 'novnc' }),
);

export interface LogQuery {
  length: number;
}

export const logQuery = Joi.object<LogQuery, true>({
  length: Joi.number().integer().min(0).default(100).description('How many of the last lines; 0 for all.'),
});

export const logShape = shape<{ log: string }>('InstanceLog', { log: text() });
