import { nonEmptyText, shape, text } from '@gateway/core/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { instanceTag } from '../instance-tag.ts';
import { getConsole, getLog } from './handlers.ts';
import { logQuery } from './schemas.ts';

const consoleShape = shape('InstanceConsole', {
  url: nonEmptyText('https://console.example.org/vnc_auto.html?token=5b1f0f1a').describe(
    'Grants access to the console. Expires after some minutes.',
  ),
  type: nonEmptyText('novnc').describe('As in the compute service: `novnc`, `spice-html5` or `serial`.'),
});

const logShape = shape('InstanceLog', { log: text('[    0.000000] Linux version 6.8.0\n') });

export const instanceConsoleEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/instances/:instance_id/console',
    tag: instanceTag,
    summary: 'Open the console of an instance',
    access: 'project',
    params: pathIds('instance_id'),
    response: consoleShape,
    secret: true,
    errors: ['conflict'],
    handler: getConsole,
  }),
  endpoint({
    method: 'GET',
    path: '/api/instances/:instance_id/log',
    tag: instanceTag,
    summary: 'The console log of an instance',
    access: 'project',
    params: pathIds('instance_id'),
    query: logQuery,
    response: logShape,
    errors: ['conflict'],
    handler: getLog,
  }),
];
