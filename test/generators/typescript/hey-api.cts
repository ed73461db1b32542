// One call of every kind with the client of @hey-api/openapi-ts, which validates what it sends and receives.

import assert from 'node:assert/strict';
import { client } from './hey-api/client.gen.js';
import {
  getAuthOpenrc,
  getImages,
  getJobs,
  postAuthLogin,
  postKeypairs,
  postVolumes,
  postVolumesAsync,
} from './hey-api/index.js';

client.setConfig({ baseUrl: process.env.GATEWAY_URL ?? '' });

void (async () => {
  const credentials = { username: 'demo', password: 'demo-secret' };
  const { data: login } = await postAuthLogin({ body: credentials, throwOnError: true });
  const { token, project_id: project } = login;
  client.setConfig({ headers: { 'X-Auth-Token': token, 'X-Project-Id': project } });

  const { data: images } = await getImages({ query: { name: 'ubuntu-22.04' }, throwOnError: true });
  assert.equal(images.length, 1);

  const body = { name: `größe-${crypto.randomUUID()}`, size_gb: 1 };
  const { data: volume } = await postVolumes({ body, throwOnError: true });
  assert.ok('managed_by' in volume && volume.managed_by === null);

  const keypair = { name: `key-${crypto.randomUUID()}` };
  assert.equal((await postKeypairs({ body: keypair, throwOnError: true })).data.name, keypair.name);
  const { error, response } = await postKeypairs({ body: keypair });
  assert.equal(response?.status, 409);
  assert.ok(error !== undefined && 'code' in error && error.code === 'conflict');

  const { data: file } = await getAuthOpenrc({ throwOnError: true, parseAs: 'text' });
  assert.match(file, /OS_AUTH_URL/);

  const followed = { name: `stream-${crypto.randomUUID()}`, size_gb: 1 };
  const { stream } = await postVolumesAsync({ body: followed });
  const steps: string[] = [];
  for await (const event of stream) steps.push(JSON.stringify(event));
  assert.match(steps.at(-1) ?? '', /COMPLETED/);

  const { data: page } = await getJobs({ query: { limit: 1 }, throwOnError: true });
  assert.equal(page.items[0]?.status, 'completed');
})();
