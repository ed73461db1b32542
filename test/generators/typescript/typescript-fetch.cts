// One call of every kind with the client of openapi-generator's `typescript-fetch`.

import assert from 'node:assert/strict';
import {
  AuthApi,
  CloudFilesApi,
  Configuration,
  ImagesApi,
  JobStatus,
  JobsApi,
  KeypairsApi,
  ResponseError,
  VolumesApi,
} from './typescript-fetch/index.js';

const basePath = process.env.GATEWAY_URL ?? '';

void (async () => {
  const login = await new AuthApi(new Configuration({ basePath })).postAuthLogin({
    postAuthLoginRequest: { username: 'demo', password: 'demo-secret' },
  });
  const keys: Record<string, string> = { 'X-Auth-Token': login.token, 'X-Project-Id': login.projectId };
  const config = new Configuration({ basePath, apiKey: (name) => keys[name] ?? '' });

  const images = await new ImagesApi(config).getImages({ name: 'ubuntu-22.04' });
  assert.equal(images.length, 1);
  assert.ok(images[0]?.createdAt instanceof Date);

  const volume = await new VolumesApi(config).postVolumes({
    createVolume: { name: `größe-${crypto.randomUUID()}`, sizeGb: 1 },
  });
  assert.equal(volume.managedBy, null);

  const keypairs = new KeypairsApi(config);
  const postKeypairsRequest = { name: `key-${crypto.randomUUID()}` };
  assert.equal((await keypairs.postKeypairs({ postKeypairsRequest })).name, postKeypairsRequest.name);
  const refusal: unknown = await keypairs.postKeypairs({ postKeypairsRequest }).catch((error) => error);
  assert.ok(refusal instanceof ResponseError);
  assert.equal(refusal.response.status, 409);
  assert.equal(((await refusal.response.json()) as { code: string }).code, 'conflict');

  assert.match(await new CloudFilesApi(config).getAuthOpenrc(), /OS_AUTH_URL/);

  const createVolume = { name: `stream-${crypto.randomUUID()}`, sizeGb: 1 };
  const { raw } = await new VolumesApi(config).postVolumesAsyncRaw({ createVolume });
  assert.match(await raw.text(), /"step":"COMPLETED"/);

  const { items } = await new JobsApi(config).getJobs({ limit: 1 });
  assert.equal(items[0]?.status, JobStatus.Completed);
})();
