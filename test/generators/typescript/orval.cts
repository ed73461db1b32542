// One call of every kind with the client of orval.

import assert from 'node:assert/strict';
import {
  getGetAuthOpenrcUrl,
  getImages,
  getJobs,
  getPostVolumesAsyncUrl,
  postAuthLogin,
  postKeypairs,
  postVolumes,
} from './orval/index.js';

// The client sends to paths.
const send = globalThis.fetch;
globalThis.fetch = (path, options) => send(`${process.env.GATEWAY_URL}${path}`, options);

void (async () => {
  const login = await postAuthLogin({ username: 'demo', password: 'demo-secret' });
  assert.ok(login.status === 200);
  const options = { headers: { 'X-Auth-Token': login.data.token, 'X-Project-Id': login.data.project_id } };

  const images = await getImages({ name: 'ubuntu-22.04' }, options);
  assert.ok(images.status === 200);
  assert.equal(images.data.length, 1);

  const volume = await postVolumes({ name: `größe-${crypto.randomUUID()}`, size_gb: 1 }, options);
  assert.ok(volume.status === 201);
  assert.equal(volume.data.managed_by, null);

  const name = `key-${crypto.randomUUID()}`;
  const created = await postKeypairs({ name, key_type: 'ssh' }, options);
  assert.ok(created.status === 200 && created.data.name === name);
  const refused = await postKeypairs({ name }, options);
  assert.ok(refused.status === 409);
  assert.equal(refused.data.code, 'conflict');

  // The generated functions read every body as JSON, so files and events are read from their addresses.
  const file = await fetch(getGetAuthOpenrcUrl(), options);
  assert.match(await file.text(), /OS_AUTH_URL/);
  const body = JSON.stringify({ name: `stream-${crypto.randomUUID()}`, size_gb: 1 });
  const headers = { ...options.headers, 'Content-Type': 'application/json' };
  const events = await fetch(getPostVolumesAsyncUrl(), { method: 'POST', headers, body });
  assert.match(await events.text(), /"step":"COMPLETED"/);

  const jobs = await getJobs({ limit: 1 }, options);
  assert.ok(jobs.status === 200);
  assert.equal(jobs.data.items[0]?.status, 'completed');
})();
