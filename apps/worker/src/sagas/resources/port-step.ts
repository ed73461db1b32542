import { jobDescription } from '@gateway/core';
import { findPorts, portStillGranted, releasePort } from '@gateway/inventory';
import type { Step, StepContext } from '../../saga/index.ts';
import { type CreatedPort, toCreatedPort } from './created-port.ts';
import { type ResourceContext, resultUnder, type StateKeyOf, valueUnder } from './resource-step.ts';

interface PortStep<Context, State extends object>
  extends Pick<Step<Context, State>, 'name' | 'beginUpdate' | 'when'> {
  /** The key of the state for the port. */
  key: StateKeyOf<State, CreatedPort>;
  portName(context: StepContext<Context, State>): string;
  networkId(context: StepContext<Context, State>): string;
  /** Ids; the project's default group if it is absent or returns undefined. */
  securityGroupIds?(context: StepContext<Context, State>): string[] | undefined;
  /** Thrown when the network gave the port no address. */
  withoutAddress(): Error;
  /**
   * The addresses that shares still grant access to. Their ports are kept: the next server with such an
   * address would inherit the access. None if absent.
   */
  grantedAddresses?(context: StepContext<Context, State>): Promise<string[]>;
}

/**
 * Creates the port of a server before the server, for servers whose address must be known before they boot,
 * for example for an access rule. The rollback deletes the port.
 */
export function portStep<Context extends ResourceContext, State extends object>(
  spec: PortStep<Context, State>,
): Step<Context, State> {
  const { key, portName, networkId, securityGroupIds, withoutAddress, grantedAddresses, ...step } = spec;
  const portIn = (result: Partial<State>) => valueUnder<State, CreatedPort>(result, key);
  return {
    ...step,
    async run(context) {
      const { network } = await context.resourceOwner.client();
      const port = await network.ports.create({
        network_id: networkId(context),
        name: portName(context),
        description: jobDescription(context.jobId),
        ...(securityGroupIds && { security_groups: securityGroupIds(context) }),
      });
      return resultUnder(key, toCreatedPort(port));
    },
    async find(context) {
      const rights = await context.resourceOwner.removal();
      const ports = await findPorts(rights.remover(), portName(context), await context.resourceOwner.mark());
      return ports.map((port) => resultUnder(key, toCreatedPort(port)));
    },
    async settle(_context, result) {
      if (portIn(result).address === '') throw withoutAddress();
      return undefined;
    },
    async undo(context, result) {
      const { id, address } = portIn(result);
      if ((await grantedAddresses?.(context))?.includes(address)) throw portStillGranted();
      const rights = await context.resourceOwner.removal();
      await releasePort(rights.remover(), id, { deviceIds: [], creationJobId: context.jobId });
    },
    leftover: (result) => ({ type: 'port', id: portIn(result).id }),
  };
}
