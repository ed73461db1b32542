import { FIRST_BOOT_CALLBACK_PATH } from '@gateway/libraries';
import { endpoint } from '../../pipeline/endpoint.ts';
import { reportReceivedShape } from '../machine-reports/receive-report.ts';
import { receiveFirstBootReport } from './handlers.ts';
import { firstBootReportBody } from './schemas.ts';

export const firstBootCallbackEndpoints = [
  endpoint({
    method: 'POST',
    path: FIRST_BOOT_CALLBACK_PATH,
    tag: { name: 'instance-callback', description: 'Reports of instances with libraries' },
    summary: 'Report of an instance that sets up its workspace',
    description:
      'Authenticated by the token that the instance got at its first boot. A report with the result of a boot replaces the token by one that the instance and the gateway derive from it.',
    access: 'public',
    writes: [],
    body: firstBootReportBody,
    response: reportReceivedShape,
    rateLimits: ['callback'],
    errors: ['forbidden', 'conflict'],
    handler: receiveFirstBootReport,
  }),
];
