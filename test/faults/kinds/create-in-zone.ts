import type { Kind } from '../kind.ts';
import { createPlain } from './create-plain.ts';
import { startCreation } from './creation.ts';

const ZONE = 'rack-1';

/** A creation in an availability zone of the compute service that the block storage service does not have. */
export const createInZone: Kind = {
  ...createPlain,
  name: 'create in zone',
  async prepare(rig) {
    await rig.control.set({ serverZones: ['nova', ZONE], volumeZones: ['storage'] });
    return '';
  },
  start: (rig, _subject, requestId) => startCreation(rig, null, requestId, { availability_zone: ZONE }),
};
