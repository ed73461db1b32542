import { waitForStatus } from '@gateway/openstack';
import type { Step, StepContext } from '@gateway/saga';
import type { Owner, ResourceContext } from './owner.ts';
import { resultUnder, type StateKeyOf } from './state-key.ts';
import { waitOptions } from './wait-options.ts';

export interface AttachmentStep<Context, State extends object>
  extends Pick<Step<Context, State>, 'name' | 'beginUpdate' | 'when'> {
  owner: Owner<Context>;
  /** Where the device is kept under which the server has the volume; empty when the service does not say. */
  key: StateKeyOf<State, string>;
  /** The attachment as a sentence begins with it. */
  title: string;
  serverId(context: StepContext<Context, State>): string;
  volumeId(context: StepContext<Context, State>): string;
  deleteOnTermination: boolean;
  /** The device to ask for. */
  device?: string;
}

/**
 * Attaches a volume to a server and waits until the volume is in use. Not undone by itself: the server's deletion detaches
 * the volume.
 */
export function attachmentStep<Context extends ResourceContext, State extends object>(
  spec: AttachmentStep<Context, State>,
): Step<Context, State> {
  const { owner, key, title, serverId, volumeId, deleteOnTermination, device, ...step } = spec;
  return {
    ...step,
    // A volume that is attached is not attached again.
    rejectsDuplicates: true,
    async run(context) {
      const { compute } = await owner.client(context);
      const attachment = await compute.volumeAttachments.attach(serverId(context), {
        volumeId: volumeId(context),
        ...(device !== undefined && { device }),
        delete_on_termination: deleteOnTermination,
      });
      return resultUnder(key, attachment.device ?? '');
    },
    async find(context) {
      const { compute } = (await owner.removal(context)).remover();
      const attachments = await compute.volumeAttachments.list(serverId(context));
      return attachments
        .filter((attachment) => attachment.volumeId === volumeId(context))
        .map((attachment) => resultUnder(key, attachment.device ?? ''));
    },
    async settle(context) {
      const { blockStorage } = await owner.client(context);
      await waitForStatus(
        () => blockStorage.volumes.get(volumeId(context)),
        ({ status }) => status,
        {
          ...waitOptions(context, title, context.config.timeLimits.attachSeconds),
          targetStates: ['in-use'],
          failedStates: ['error', 'error_attaching', 'error_deleting'],
        },
      );
      return undefined;
    },
  };
}
