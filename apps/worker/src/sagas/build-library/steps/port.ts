import { invalidInput } from '@gateway/core';
import { buildProgress } from '@gateway/jobs';
import { need } from '../../need.ts';
import { findPorts } from '../../resources/find-made.ts';
import { jobMark } from '../../resources/names.ts';
import { addressKept, removePort } from '../../resources/removal.ts';
import { type MadePort, madePort } from '../../resources/server-facts.ts';
import { findRulesOf } from '../../resources/share-rules.ts';
import { announce, defineBuildStep, makerOf, nameFor } from '../saga.ts';

/** The builder's port, made before it where the share lets in addresses. */
export const createPort = defineBuildStep<{ port: MadePort }>({
  name: 'port',
  beginUpdate: announce(
    'BUILDER_PREPARING',
    buildProgress.BUILDER_PREPARING,
    'The builder is being prepared.',
  ),
  when: (context) => need(context, 'plan').protocol === 'NFS',
  async run(context) {
    const service = await context.service();
    const port = await service.network.ports.create({
      network_id: need(context, 'plan').networkId,
      name: nameFor(context, 'port'),
      description: jobMark(context.jobId),
    });
    return { port: madePort(port) };
  },
  async find(context) {
    const maker = await makerOf(context);
    const ports = await findPorts(await context.service(), nameFor(context, 'port'), maker);
    return ports.map((port) => ({ port: madePort(port) }));
  },
  async settle(_context, { port }) {
    if (port.address !== '') return undefined;
    throw invalidInput('The network for builds gives no addresses, which shares let builders in by.');
  },
  async undo(context, { port }) {
    const service = await context.service();
    // The rule was taken back before, unless its service would not have it.
    const rules = await findRulesOf(service, need(context, 'shareId'), context);
    if (rules.some(({ access_to }) => access_to === port.address)) throw addressKept();
    await removePort(service, port.id);
  },
  leftover: ({ port }) => ({ type: 'port', id: port.id }),
});
