import { CONTROL_NODE_CALLBACK_PATH } from '@gateway/lite';
import { endpoint } from '../../pipeline/endpoint.ts';
import { receiveClusterReport } from './handlers.ts';
import { clusterReportBody, reportReceivedShape } from './schemas.ts';

export const liteCallbackEndpoints = [
  endpoint({
    method: 'POST',
    path: CONTROL_NODE_CALLBACK_PATH,
    tag: { name: 'lite-callback', description: 'Reports of control nodes' },
    summary: 'Report of the control node of a cluster',
    description: 'Authenticated by the token that the control node got at its first boot.',
    access: 'public',
    service: 'lite',
    body: clusterReportBody,
    response: reportReceivedShape,
    rateLimits: ['callback'],
    errors: ['forbidden'],
    handler: receiveClusterReport,
  }),
];
