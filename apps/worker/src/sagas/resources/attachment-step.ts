import type { Step, StepContext } from '../../saga/index.ts';
import { type ResourceContext, resultUnder, type StateKeyOf } from './resource-step.ts';
import { waitOptions } from './wait-options.ts';

/** For an attachment or its end. Both take seconds in any cloud; one that takes longer never ends. */
export const ATTACH_SECONDS = 180;

interface AttachmentStep<Context, State extends object>
  extends Pick<Step<Context, State>, 'name' | 'beginUpdate' | 'when'> {
  /**
   * The key of the state for the volume's device in the server; the device is empty when the service does not
   * return it.
   */
  key: StateKeyOf<State, string>;
  /** The attachment at the start of a sentence. */
  title: string;
  serverId(context: StepContext<Context, State>): string;
  volumeId(context: StepContext<Context, State>): string;
  deleteOnTermination: boolean;
  /** The requested device. */
  device?: string;
}

/**
 * Attaches a volume to a server and waits until the volume is in use. Not undone by itself: the server's
 * deletion detaches the volume.
 */
export function attachmentStep<Context extends ResourceContext, State extends object>(
  spec: AttachmentStep<Context, State>,
): Step<Context, State> {
  const { key, title, serverId, volumeId, deleteOnTermination, device, ...step } = spec;
  return {
    ...step,
    // An attached volume cannot be attached again.
    onRepeat: 'rejected',
    async run(context) {
      const { compute } = await context.resourceOwner.client();
      const attachment = await compute.volumeAttachments.attach(serverId(context), {
        volumeId: volumeId(context),
        ...(device !== undefined && { device }),
        delete_on_termination: deleteOnTermination,
      });
      return resultUnder(key, attachment.device ?? '');
    },
    async find(context) {
      const { compute } = (await context.resourceOwner.removal()).remover();
      const attachments = await compute.volumeAttachments.list(serverId(context));
      return attachments
        .filter((attachment) => attachment.volumeId === volumeId(context))
        .map((attachment) => resultUnder(key, attachment.device ?? ''));
    },
    async settle(context) {
      const { polls } = await context.resourceOwner.client();
      await polls.waitForStatus('volume', volumeId(context), {
        ...waitOptions(context, 'attachment', {
          describe: title,
          seconds: ATTACH_SECONDS,
        }),
        targetStates: ['in-use'],
        failedStates: ['error', 'error_attaching', 'error_deleting'],
      });
      return undefined;
    },
  };
}
