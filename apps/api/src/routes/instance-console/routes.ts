import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { instanceTag } from '../instance-tag.ts';
import { getConsole, getLog } from './handlers.ts';
import { consoleShape, logQuery, logShape } from './schemas.ts';

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
