import { invalidInput } from '@gateway/core';
import type { PortRecord } from '@gateway/openstack';
import { jobMark } from '../../names.ts';
import { need } from '../../need.ts';
import { addressKept, removePort } from '../../removal.ts';
import { defineCreateStep, nameFor } from '../saga.ts';
import { ownAccesses } from '../shares.ts';

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
    return { port: summary(port) };
  },
  async find(context) {
    const ports = await context.remover().network.ports.list({ name: nameFor(context, 'port') });
    const port = ports.find(
      ({ description, project_id }) =>
        description === jobMark(context.jobId) && project_id === context.projectId,
    );
    return port === undefined ? null : { port: summary(port) };
  },
  async settle(_context, { port }) {
    if (port.address !== '') return undefined;
    throw invalidInput('The network gives no addresses, which the shares of libraries let in by.', {
      errors: [{ field: 'body.network_id', message: 'must have a subnet' }],
    });
  },
  async undo(context, { port }) {
    // The rules were taken back before, unless their service would not have it.
    if ((await ownAccesses(context)).length > 0) throw addressKept();
    await removePort(context.remover(), port.id);
  },
  leftover: ({ port }) => ({ type: 'port', id: port.id }),
});

/** The address is the one by which shares let the server in: of the older kind where there are both. */
function summary({ id, fixed_ips }: PortRecord): { id: string; address: string } {
  const addresses = fixed_ips.map(({ ip_address }) => ip_address);
  return { id, address: addresses.find((address) => address.includes('.')) ?? addresses[0] ?? '' };
}
