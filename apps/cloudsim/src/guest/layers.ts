import { hasShareAccess, shareMounts } from './mounts.ts';
import type { Role } from './role.ts';

/** An instance with libraries: its shares are the lower layers, its second disk is the upper layer. */
export const layers: Role = {
  task: 'layers',
  run: () => Promise.resolve(),
  onConsoleRead({ cloud, server, machine }) {
    if (machine.isDone) return;
    const hasShares = shareMounts(machine.data).every((mount) => hasShareAccess(cloud, server, mount));
    const upperVolumeId = machine.plan.get('upper_volume_id');
    const hasDisk = server.volumes.some(
      ({ volumeId, attachmentId }) => volumeId === upperVolumeId && attachmentId !== null,
    );
    if (!hasShares || !hasDisk) return;
    machine.isDone = true;
    machine.console.push('gateway first boot: ready, /workspace is mounted');
  },
};
