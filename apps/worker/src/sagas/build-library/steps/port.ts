import { buildProgress } from '@gateway/jobs';
import { jobMark } from '../../names.ts';
import { need } from '../../need.ts';
import { removePort } from '../../removal.ts';
import { announce, defineBuildStep, nameFor } from '../saga.ts';

/** The builder's port, made before it where the share lets in addresses. */
export const createPort = defineBuildStep<{ port: { id: string; address: string } }>({
  name: 'port',
  announce: announce('BUILDER_PREPARING', buildProgress.BUILDER_PREPARING, 'The builder is being prepared.'),
  when: (context) => need(context, 'plan').protocol === 'NFS',
  async run(context) {
    const service = await context.service();
    const port = await service.network.ports.create({
      network_id: need(context, 'plan').networkId,
      name: nameFor(context, 'port'),
      description: jobMark(context.jobId),
    });
    return { port: { id: port.id, address: port.fixed_ips[0]?.ip_address ?? '' } };
  },
  async find(context) {
    const service = await context.service();
    const ports = await service.network.ports.list({ name: nameFor(context, 'port') });
    const port = ports.find(({ description }) => description === jobMark(context.jobId));
    return port === undefined
      ? null
      : { port: { id: port.id, address: port.fixed_ips[0]?.ip_address ?? '' } };
  },
  undo: async (context, { port }) => removePort(await context.service(), port.id),
  leftover: ({ port }) => ({ type: 'port', id: port.id }),
});
