import { ATTACH_SECONDS } from '../../resources/attachment-step.ts';
import { releaseVolume } from '../../resources/release-volume.ts';
import { removalOptions } from '../../resources/wait-options.ts';
import { defineCreateStep } from '../saga.ts';

/**
 * Comes before the server, so that it is undone after the server: its undo waits until the project's volumes
 * are available again. The step itself does nothing, and its undo never deletes a volume.
 */
export const reserveAdditionalVolumes = defineCreateStep<{ heldVolumeIds: string[] }>({
  name: 'additional-volumes',
  when: ({ input }) => input.additionalVolumeIds.length > 0,
  onRepeat: 'idempotent',
  run: async ({ input }) => ({ heldVolumeIds: input.additionalVolumeIds }),
  async undo(context, { heldVolumeIds }) {
    const { state } = context;
    // Nothing can be attached before the server's id is known.
    if (state.serverId === undefined) return;
    for (const id of heldVolumeIds) {
      const wait = removalOptions(context, 'attachment', ATTACH_SECONDS);
      await releaseVolume(context.remover(), id, state.serverId, wait);
    }
  },
  leftover: ({ heldVolumeIds }) => ({ type: 'attachment', id: heldVolumeIds.join(',') }),
});
