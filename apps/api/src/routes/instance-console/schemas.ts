import { nonEmptyText, shape, text } from '@gateway/core/shapes';
import Joi from 'joi';

export const consoleShape = shape('InstanceConsole', {
  url: nonEmptyText('https://console.example.org/vnc_auto.html?token=5b1f0f1a').describe(
    'Grants access to the console. Expires after some minutes.',
  ),
  type: nonEmptyText('novnc').describe('As in the compute service: `novnc`, `spice-html5` or `serial`.'),
});

export interface LogQuery {
  length: number;
}

export const logQuery = Joi.object<LogQuery, true>({
  length: Joi.number().integer().min(0).default(100).description('How many of the last lines; 0 for all.'),
});

export const logShape = shape('InstanceLog', { log: text('[    0.000000] Linux version 6.8.0\n') });
