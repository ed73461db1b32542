import { newRequestId } from '@gateway/core';
import { createImageSteps } from '../../../apps/worker/src/sagas/create-resource/image.ts';
import { eventually } from '../../support/eventually.ts';
import type { Kind } from '../kind.ts';
import type { Rig } from '../rig.ts';
import { startCreation } from './creation.ts';
import { resourceCreation, startResourceJob, storage } from './resource-creation.ts';

const NAME = 'image with faults';

/** Of an instance that boots from a volume, as all do that the gateway creates. */
export const createImage: Kind = {
  ...resourceCreation,
  name: 'create image',
  jobType: 'image.create',
  steps: createImageSteps.map((step) => step.name),
  entries: {
    plan: [{ service: storage, operation: 'volumes.get', isRead: true }],
    copy: [{ service: storage, operation: 'volumes.create', isTemporary: true }],
    create: [{ service: storage, operation: 'volumes.os-volume_upload_image' }],
    publish: [{ service: 'image', operation: 'images.update' }],
    'remove-copy': [{ service: storage, operation: 'volumes.delete' }],
  },
  commitsAt: 'publish',
  completed: { images: 1 },
  async prepare(rig) {
    const { stream } = await startCreation(rig, null, newRequestId());
    const last = (await stream?.rest())?.at(-1);
    const { step, instance_id: id } = JSON.parse(last?.data ?? '{}') as {
      step?: string;
      instance_id?: string;
    };
    if (step !== 'COMPLETED' || id === undefined) throw new Error(`No instance: ${last?.data}`);
    return id;
  },
  start: (rig, instanceId, requestId) =>
    startResourceJob(rig, `/api/instances/${instanceId}/images/async`, { body: { name: NAME }, requestId }),
  async inspect(rig, _subject, isCompleted) {
    const { images } = await rig.cloud.call<{ images: { min_disk: number; status: string }[] }>(
      'image',
      'GET',
      `/v2/images?name=${encodeURIComponent(NAME)}`,
    );
    const found = images.map(({ min_disk, status }) => `${status} for ${min_disk} GB`).join(', ');
    const wanted = isCompleted ? 'active for 1 GB' : '';
    return found === wanted ? [] : [`the named images are: ${found || 'none'}`];
  },
};

/** Of an instance that another client has created from an image. */
export const createImageByCompute: Kind = {
  ...createImage,
  name: 'create image by the compute service',
  entries: {
    ...createImage.entries,
    // The first read is that of the request.
    plan: [{ service: 'compute', operation: 'servers.get', nth: 2, isRead: true }],
    copy: 'not taken',
    create: [{ service: 'compute', operation: 'servers.createImage' }],
    'remove-copy': 'not taken',
  },
  prepare: prepareServer,
  runsSlowFaults: false,
};

async function prepareServer(rig: Rig): Promise<string> {
  const { server } = await rig.cloud.call<{ server: { id: string } }>('compute', 'POST', '/servers', {
    server: { name: 'faults', imageRef: rig.imageId, flavorRef: rig.flavorId, networks: 'none' },
  });
  await eventually(async () => {
    const now = await rig.cloud.call<{ server: { status: string } }>(
      'compute',
      'GET',
      `/servers/${server.id}`,
    );
    return now.server.status === 'ACTIVE';
  });
  return server.id;
}
