import { JOB_METADATA_KEY } from '@gateway/core';
import { findServers, removeServer } from '@gateway/inventory';
import type { BlockDevice, ServerCreate } from '@gateway/openstack';
import type { Step, StepContext } from '../../saga/index.ts';
import { awaitServer } from './await-server.ts';
import { needsConfigDrive } from './config-drive.ts';
import { type ResourceContext, resultUnder, type StateKeyOf, valueUnder } from './resource-step.ts';
import { removalOptions, waitOptions } from './wait-options.ts';

interface ServerStep<Context, State extends object>
  extends Pick<Step<Context, State>, 'name' | 'beginUpdate' | 'when' | 'resourceId'> {
  /** The key of the state for the server's id. */
  key: StateKeyOf<State, string>;
  /** The server at the start of a sentence, such as "The instance". */
  title: string;
  serverName(context: StepContext<Context, State>): string;
  /** The name, the job's mark and the config drive are added. */
  request(context: StepContext<Context, State>): Promise<ServerRequest>;
  /** States besides ACTIVE that a server may have reached by the time it is read. */
  readyStates?: string[];
  /** A later step waits for the server. */
  awaitsLater?: boolean;
  /** Called before the server is deleted. */
  beforeUndo?(context: StepContext<Context, State>): Promise<void>;
}

type ServerRequest = Omit<ServerCreate, 'name' | 'config_drive' | 'networks'> & {
  networks: Exclude<ServerCreate['networks'], string>;
};

/** Creates a server and waits until it is up; the rollback deletes it and waits until it is gone. */
export function serverStep<Context extends ResourceContext, State extends object>(
  spec: ServerStep<Context, State>,
): Step<Context, State> {
  const {
    key,
    title,
    serverName,
    request,
    readyStates = [],
    awaitsLater = false,
    beforeUndo,
    ...step
  } = spec;
  const idIn = (result: Partial<State>) => valueUnder<State, string>(result, key);
  return {
    ...step,
    async run(context) {
      const { metadata, ...server } = await request(context);
      const client = await context.resourceOwner.client();
      const { id } = await client.compute.servers.create({
        ...server,
        ...((await needsConfigDrive(client, server.networks)) && { config_drive: true }),
        name: serverName(context),
        metadata: { ...metadata, [JOB_METADATA_KEY]: context.jobId },
      });
      return resultUnder(key, id);
    },
    async find(context) {
      const rights = await context.resourceOwner.removal();
      const servers = await findServers(
        rights.remover(),
        serverName(context),
        await context.resourceOwner.mark(),
      );
      return servers.map(({ id }) => resultUnder(key, id));
    },
    async settle(context, result) {
      if (awaitsLater) return undefined;
      const wait = waitOptions(context, 'server', {
        describe: title,
        seconds: context.config.timeLimits.serverSeconds,
      });
      await awaitServer(await context.resourceOwner.client(), idIn(result), wait, readyStates);
      return undefined;
    },
    async undo(context, result) {
      await beforeUndo?.(context);
      const wait = removalOptions(context, 'server', context.config.timeLimits.serverSeconds);
      await removeServer((await context.resourceOwner.removal()).remover(), idIn(result), wait);
    },
    leftover: (result) => ({ type: 'server', id: idIn(result) }),
  };
}

/** Another volume of a new server, which the server's deletion removes. */
export function dataDevice(volumeId: string): BlockDevice {
  return { ...bootDevice(volumeId), boot_index: -1 };
}

/** The volume that a server boots from. By default, the server's deletion removes the volume. */
export function bootDevice(volumeId: string, deleteOnTermination = true): BlockDevice {
  return {
    boot_index: 0,
    uuid: volumeId,
    source_type: 'volume',
    destination_type: 'volume',
    delete_on_termination: deleteOnTermination,
  };
}
