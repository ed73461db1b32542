// One call of every kind with the types of openapi-typescript and its client openapi-fetch.

import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript/schema.js';

void (async () => {
  const client = createClient<paths>({ baseUrl: process.env.GATEWAY_URL ?? '' });
  const login = await client.POST('/api/auth/login', { body: { username: 'demo', password: 'demo-secret' } });
  const { token = '', project_id: project = '' } = login.data ?? {};
  client.use({
    onRequest({ request }) {
      request.headers.set('X-Auth-Token', token);
      request.headers.set('X-Project-Id', project);
    },
  });

  const images = await client.GET('/api/images', { params: { query: { name: 'ubuntu-22.04' } } });
  assert.equal(images.data?.length, 1);

  const volume = await client.POST('/api/volumes', {
    body: { name: `größe-${crypto.randomUUID()}`, size_gb: 1 },
  });
  assert.ok(volume.data !== undefined && 'managed_by' in volume.data && volume.data.managed_by === null);

  const body = { name: `key-${crypto.randomUUID()}`, key_type: 'ssh' as const };
  assert.equal((await client.POST('/api/keypairs', { body })).data?.name, body.name);
  const refused = await client.POST('/api/keypairs', { body });
  assert.equal(refused.response.status, 409);
  assert.equal(refused.error?.code, 'conflict');

  const file = await client.GET('/api/auth/openrc', { parseAs: 'text' });
  assert.match(file.data ?? '', /OS_AUTH_URL/);

  const followed = { name: `stream-${crypto.randomUUID()}`, size_gb: 1 };
  const events = await client.POST('/api/volumes/async', { body: followed, parseAs: 'text' });
  assert.match(String(events.data), /"step":"COMPLETED"/);

  const jobs = await client.GET('/api/jobs', { params: { query: { limit: 1 } } });
  assert.equal(jobs.data?.items[0]?.status, 'completed');
})();
