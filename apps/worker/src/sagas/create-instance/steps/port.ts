import { invalidInput } from '@gateway/core';
import { need } from '../../need.ts';
import { findPorts } from '../../resources/find-made.ts';
import { jobMark } from '../../resources/names.ts';
import { addressKept, removePort } from '../../resources/removal.ts';
import { type MadePort, madePort } from '../../resources/server-facts.ts';
import { defineCreateStep, nameFor } from '../saga.ts';
import { ownAccesses } from '../shares.ts';

/**
 * The server's port, made before the server where a share lets in addresses: the rule must name the address
 * before the server boots.
 */
export const createPort = defineCreateStep<{ port: MadePort }>({
  name: 'port',
  when: (context) => need(context, 'plan').needsPort,
  async run(context) {
    const port = await context.owner().network.ports.create({
      network_id: need(context, 'plan').networkId,
      name: nameFor(context, 'port'),
      description: jobMark(context.jobId),
    });
    return { port: madePort(port) };
  },
  async find(context) {
    const ports = await findPorts(context.remover(), nameFor(context, 'port'), context);
    return ports.map((port) => ({ port: madePort(port) }));
  },
  async settle(_context, { port }) {
    if (port.address !== '') return undefined;
    throw invalidInput('The network gives no addresses, which the shares of libraries let in by.', {
      errors: [{ field: 'body.network_id', message: 'must have a subnet' }],
    });
  },
  async undo(context, { port }) {
    // The rules were taken back before, unless their service would not have it.
    const accesses = await ownAccesses(context);
    if (accesses.some(({ accessTo }) => accessTo === port.address)) throw addressKept();
    await removePort(context.remover(), port.id);
  },
  leftover: ({ port }) => ({ type: 'port', id: port.id }),
});
