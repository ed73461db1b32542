import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import type { ErrorBody } from '../support/api/client.ts';
import { AdminStack } from '../support/stacks/admin-stack.ts';

/** Ids that people choose: those of flavors, and of users and groups in a directory. */
const CHOSEN = /:(flavor|user|group)_id/;

/** Of resources that have an id of their own, which the services generate. */
const WITH_AN_ID = endpoints.filter(
  ({ method, path }) => /^[^:]+:\w+_id$/.test(path) && !CHOSEN.test(path) && method !== 'PUT',
);
const SERVICE_AWAY = ['service_disabled'];

describe('a word in place of an id', function () {
  this.timeout(120_000);
  let stack: AdminStack;

  before(async () => {
    stack = await AdminStack.start({ apis: 1 });
  });

  after(() => stack?.stop());

  for (const { method, path } of WITH_AN_ID.filter(({ body }) => body === undefined)) {
    it(`is an unknown address: ${method} ${path}`, async () => {
      const list = path.slice(0, path.lastIndexOf('/'));

      const word = await stack.ask<ErrorBody>(method, `${list}/not-served-yet`);
      const id = await stack.ask<ErrorBody>(method, `${list}/${randomUUID()}`);

      if (SERVICE_AWAY.includes(word.body.code)) return;
      assert.deepEqual([word.status, word.body.code], [404, 'route_not_found'], word.text);
      assert.deepEqual([id.status, id.body.code], [404, 'not_found'], id.text);
    });
  }
});
