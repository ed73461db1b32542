import { invalidInput } from '@gateway/core';
import type { InstanceCreation } from '@gateway/jobs';
import { requireCompatibleLibraries, resolveLibraries } from '@gateway/libraries';
import type { InstanceDetail, InstanceOwner } from '@gateway/resources';
import { awaitEnd } from '../../flows/await-end.ts';
import { checkInstanceCreation } from '../../flows/check-instance-creation.ts';
import { deleteInstanceWithResources } from '../../flows/delete-instance.ts';
import { enqueueWithDelegation } from '../../flows/enqueue-with-delegation.ts';
import { joinExistingJob } from '../../flows/join-existing-job.ts';
import { JobStream } from '../../http/streams/event-streams.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnServer, readInstanceDetail } from '../../resources/read-instance.ts';
import { readUserName } from '../../resources/read-user-name.ts';
import { optionsOf } from './options.ts';
import { readCreatedInstance } from './read-created-instance.ts';
import type { CreateInstanceBody } from './schemas.ts';

type CreateRequest = RequestContext<unknown, unknown, CreateInstanceBody>;
type InstanceRequest = RequestContext<{ instance_id: string }>;

export async function getInstance(request: InstanceRequest): Promise<InstanceDetail> {
  return readInstanceDetail(request, request.params.instance_id);
}

export async function createInstanceAsync(request: CreateRequest): Promise<JobStream> {
  return new JobStream(await enqueueCreation(request));
}

/** Enqueues the same job as `createInstanceAsync` and waits for its end. */
export async function createInstance(request: CreateRequest): Promise<InstanceDetail> {
  const jobId = await enqueueCreation(request);
  const { resourceId } = await awaitEnd(request, jobId, {
    timeoutSeconds: request.app.config.timeLimits.syncCreateSeconds,
    pending: () => 'The instance is still being created.',
  });
  if (resourceId === null) throw new Error(`Job ${jobId} was completed without an instance.`);
  return readCreatedInstance(request, resourceId);
}

export async function deleteInstance(request: InstanceRequest): Promise<void> {
  await deleteInstanceWithResources(request, request.params.instance_id);
}

export async function getInstanceOwner(request: InstanceRequest): Promise<InstanceOwner> {
  const { projectId, projectName } = request.caller.identity;
  const { user_id } = await getOwnServer(request, request.params.instance_id);
  return {
    user_id,
    user_name: await readUserName(request, user_id),
    project_id: projectId,
    project_name: projectName,
  };
}

/** Refuses at once what can be known at once. */
async function enqueueCreation(request: CreateRequest): Promise<string> {
  const { app, body } = request;
  if (await joinExistingJob(request)) return request.jobId;
  const libraryIds = body.libraries ?? [];
  if (libraryIds.length > 0) {
    if (!app.config.services.sharedFs) {
      throw invalidInput('Libraries are not available because the file storage service is not enabled.', {
        errors: [{ field: 'body.libraries', message: 'are not available here' }],
      });
    }
    requireCompatibleLibraries(resolveLibraries(app.config.libraries, libraryIds), {});
  }
  const input: InstanceCreation = {
    name: body.name,
    imageId: body.image_id,
    flavorId: body.flavor_id,
    libraryIds,
    strategy: body.strategy ?? null,
    networkId: body.network_id ?? null,
    keyName: body.key_name ?? null,
    availabilityZone: body.availability_zone ?? null,
    bootVolumeSizeGb: body.boot_volume_size_gb ?? null,
    deleteBootVolumeOnTermination: body.delete_boot_volume_on_termination ?? true,
    additionalVolumeIds: body.additional_volume_ids ?? [],
    newVolumes: (body.new_volumes ?? []).map(({ name, size_gb }) => ({ name, sizeGb: size_gb })),
    sealedAdminPass: body.admin_pass === undefined ? null : app.sealer.seal('adminPass', body.admin_pass),
    options: optionsOf(request),
  };
  const found = await checkInstanceCreation(request, input);
  const payload = { ...input, ...(found && { found }) };
  return enqueueWithDelegation(request, { type: 'instance.create', payload, resourceName: body.name });
}
