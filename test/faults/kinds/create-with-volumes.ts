import { createInstanceSteps } from '../../../apps/worker/src/sagas/create-instance/index.ts';
import { eventually } from '../../support/eventually.ts';
import type { Act, Kind } from '../kind.ts';
import type { Rig } from '../rig.ts';
import { createPlain } from './create-plain.ts';
import { acts, startCreation } from './creation.ts';

const NEW_VOLUMES = [
  { name: 'data', sizeGb: 1 },
  { name: 'data', sizeGb: 1 },
];

interface VolumeRecord {
  id: string;
  status: string;
}

/** A creation that attaches a volume of the project and two new ones, and whose boot volume is to be kept. */
export const createWithVolumes: Kind = {
  ...createPlain,
  name: 'create with volumes',
  steps: createInstanceSteps({ additionalVolumeIds: ['additional'], newVolumes: NEW_VOLUMES }).map(
    (step) => step.name,
  ),
  entries: {
    ...createPlain.entries,
    'new-volume-1': [{ ...acts.bootVolume, nth: 2 }],
    'new-volume-2': [{ ...acts.bootVolume, nth: 3 }],
    'additional-volumes': 'no call',
    'attach-volume-1': [nthAttachment(1)],
    'attach-volume-2': [nthAttachment(2)],
    'attach-volume-3': [nthAttachment(3)],
  },
  completed: { servers: 1, volumes: 3, ports: 1, attachments: 4, floating_ips: 1 },
  async prepare(rig) {
    const { volume } = await rig.cloud.call<{ volume: VolumeRecord }>('volumev3', 'POST', '/volumes', {
      volume: { name: 'additional', size: 1 },
    });
    await untilStatus(rig, volume.id, 'available');
    return volume.id;
  },
  start: (rig, volumeId, requestId) =>
    startCreation(rig, null, requestId, {
      delete_boot_volume_on_termination: false,
      additional_volume_ids: [volumeId],
      new_volumes: NEW_VOLUMES.map(({ name, sizeGb }) => ({ name, size_gb: sizeGb })),
    }),
  async inspect(rig, volumeId, isCompleted) {
    const expected = isCompleted ? 'in-use' : 'available';
    const status = await untilStatus(rig, volumeId, expected).catch(() => statusOf(rig, volumeId));
    return status === expected ? [] : [`the additional volume is ${status}, not ${expected}`];
  },
};

function nthAttachment(nth: number): Act {
  return { ...acts.attachment, nth };
}

function untilStatus(rig: Rig, id: string, expected: string): Promise<string> {
  return eventually(async () => {
    const status = await statusOf(rig, id);
    return status === expected ? status : undefined;
  });
}

async function statusOf(rig: Rig, id: string): Promise<string> {
  const path = `/volumes/${id}`;
  const answer = await rig.cloud.call<{ volume?: VolumeRecord }>('volumev3', 'GET', path, undefined, [404]);
  return answer.volume?.status ?? 'gone';
}
