import { buildSettings, requireVerifiable, serviceUserMissing } from '@gateway/libraries';
import type { RequestContext } from '../pipeline/request-context.ts';
import { verificationSubject } from '../resources/verification-subject.ts';

/** Enqueues a job that verifies a library's prebuilt share. */
export async function startVerification(request: RequestContext, fileStorageId: string): Promise<void> {
  const { app, caller, jobId, requestId } = request;
  const service = await app.serviceAccount.bind({ requestId });
  if (service === null) throw serviceUserMissing();
  const { library } = await requireVerifiable(service.sharedFileSystem.shares, app.config, fileStorageId);
  buildSettings(app.config, library);
  await app.producer.enqueue({
    type: 'library.verify',
    payload: { libraryId: library.id, version: library.version, fileStorageId },
    credential: caller.identity,
    requestId,
    jobId,
    resourceId: fileStorageId,
    resourceName: library.name,
    exclusive: {
      subject: verificationSubject(fileStorageId),
      refusal: 'The file storage is being verified already.',
    },
  });
}
