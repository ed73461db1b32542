import { isLetIn, shareMounts } from './mounts.ts';
import type { Role } from './roles.ts';

/** An instance with libraries: shares below, the second disk above. */
export const layers: Role = {
  task: 'layers',
  play: () => Promise.resolve(),
  look({ cloud, server, machine }) {
    if (machine.isDone) return;
    const hasShares = shareMounts(machine.data).every((mount) => isLetIn(cloud, server, mount));
    const upperVolumeId = machine.plan.get('upper_volume_id');
    const hasDisk = server.volumes.some(
      ({ volumeId, attachmentId }) => volumeId === upperVolumeId && attachmentId !== null,
    );
    if (!hasShares || !hasDisk) return;
    machine.isDone = true;
    machine.console.push('gateway first boot: ready, /workspace is mounted');
  },
};
