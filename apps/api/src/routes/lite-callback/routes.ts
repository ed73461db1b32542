import { oneOf, shape } from '@gateway/core/shapes';
import {
  AGENT_FAILURE_PATH,
  CONTROL_NODE_CALLBACK_PATH,
  CONTROL_NODE_PROGRESS_PATH,
  KUBECONFIG_CALLBACK_PATH,
} from '@gateway/lite';
import { endpoint } from '../../pipeline/endpoint.ts';
import {
  receiveAgentFailure,
  receiveClusterProgress,
  receiveClusterReport,
  receiveKubeconfig,
} from './handlers.ts';
import { agentFailureBody, clusterProgressBody, clusterReportBody, kubeconfigReportBody } from './schemas.ts';

const reportReceivedShape = shape('LiteReportReceived', {
  status: oneOf(['ok']),
});

const tag = { name: 'lite-callback', description: 'Reports of control nodes' };

export const liteCallbackEndpoints = [
  endpoint({
    method: 'POST',
    path: CONTROL_NODE_CALLBACK_PATH,
    tag,
    summary: 'Report of the control node of a cluster',
    description: 'Authenticated by the token that the control node got at its first boot.',
    access: 'public',
    writes: [],
    service: 'lite',
    body: clusterReportBody,
    response: reportReceivedShape,
    rateLimits: ['callback'],
    errors: ['forbidden'],
    handler: receiveClusterReport,
  }),
  endpoint({
    method: 'POST',
    path: CONTROL_NODE_PROGRESS_PATH,
    tag,
    summary: 'Progress of the control node of a cluster',
    description: 'The events of the creation show it. The token stays valid for the report.',
    access: 'public',
    writes: [],
    service: 'lite',
    body: clusterProgressBody,
    response: reportReceivedShape,
    rateLimits: ['callback'],
    errors: ['forbidden'],
    handler: receiveClusterProgress,
  }),
  endpoint({
    method: 'POST',
    path: AGENT_FAILURE_PATH,
    tag,
    summary: 'Failure of the first boot of an agent',
    description:
      'Authenticated by the token that the agent got at its first boot. Ends the job that waits for this agent. The first ' +
      'failure of an agent counts; the job ignores agents that it does not wait for.',
    access: 'public',
    writes: [],
    service: 'lite',
    body: agentFailureBody,
    response: reportReceivedShape,
    rateLimits: ['callback'],
    errors: ['forbidden'],
    handler: receiveAgentFailure,
  }),
  endpoint({
    method: 'POST',
    path: KUBECONFIG_CALLBACK_PATH,
    tag,
    summary: 'Renewed configuration file of a cluster',
    description:
      'Authenticated by the token that the control node got at its first boot. An accepted report replaces the token by one ' +
      'that the node and the gateway derive from it. The file replaces the stored one only if it is for the same user, of the ' +
      'same authorities, and not older: otherwise the response is 409. The stored file keeps its server.',
    access: 'public',
    writes: [],
    service: 'lite',
    body: kubeconfigReportBody,
    response: reportReceivedShape,
    rateLimits: ['callback'],
    errors: ['forbidden', 'conflict'],
    handler: receiveKubeconfig,
  }),
];
