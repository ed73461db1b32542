import { jobMark } from '../../names.ts';
import { need } from '../../need.ts';
import { removePort } from '../../removal.ts';
import { defineCreateStep, nameFor } from '../saga.ts';

/**
 * The server's port, made before the server where a share lets in addresses: the rule must name the address
 * before the server boots.
 */
export const createPort = defineCreateStep<{ port: { id: string; address: string } }>({
  name: 'port',
  when: (context) => need(context, 'plan').needsPort,
  async run(context) {
    const port = await context.owner().network.ports.create({
      network_id: need(context, 'plan').networkId,
      name: nameFor(context, 'port'),
      description: jobMark(context.jobId),
    });
    return { port: { id: port.id, address: port.fixed_ips[0]?.ip_address ?? '' } };
  },
  async find(context) {
    const ports = await context.remover().network.ports.list({ name: nameFor(context, 'port') });
    const port = ports.find(
      ({ description, project_id }) =>
        description === jobMark(context.jobId) && project_id === context.projectId,
    );
    if (port === undefined) return null;
    return { port: { id: port.id, address: port.fixed_ips[0]?.ip_address ?? '' } };
  },
  undo: (context, { port }) => removePort(context.remover(), port.id),
  leftover: ({ port }) => ({ type: 'port', id: port.id }),
});
