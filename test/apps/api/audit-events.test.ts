import assert from 'node:assert/strict';
import { ActivityReaders, type CadfEvent, openAuditStream } from '@gateway/activity';
import { createClosers } from '@gateway/platform';
import type { GatewayResponse } from '../../../apps/api/src/http/response/gateway-response.ts';
import { namedInPath } from '../../../apps/api/src/pipeline/named-resources.ts';
import { reportAnswer } from '../../../apps/api/src/pipeline/report-end.ts';
import { isWrite } from '../../../apps/api/src/pipeline/writes.ts';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import { apiSuite } from '../../support/api/suite.ts';

const settings = { audit: { stream: { url: 'https://audit.example.org/events' } } };
/** The target of what nothing is known about. */
const GATEWAY = 'service/oss';
const ACTION = /^(?:create|delete|revoke|authenticate\/[a-z-]+|update(?:\/[a-z-]+(?:\/delete)?)?)$/;
/** These delete something by another method, or what their name does not say. */
const DELETING = [
  'DELETE /api/auth/sessions',
  'DELETE /api/auth/sessions/:session_id',
  'POST /api/volumes/:volume_id/force-delete',
  'POST /api/admin/projects/:project_id/purge',
  'POST /api/admin/leftovers/:type/:resource_id/remove',
];

/** Machines call the others, which are not in the stream. */
const writes = endpoints
  .flatMap((endpoint) => (endpoint.preferred === undefined ? [endpoint] : [endpoint, endpoint.preferred]))
  .filter((endpoint) => isWrite(endpoint) && (endpoint.access !== 'public' || endpoint.writes === 'session'));

describe('the audit event of each write', () => {
  const suite = apiSuite();
  let events: [name: string, event: CadfEvent][];

  before(async () => {
    const { context } = await suite.start({ settings });
    const { outbox, readers } = openAuditStream({ ...context, closers: createClosers() });
    assert.ok(outbox !== null);
    const activity = new ActivityReaders(readers, context.logger);
    for (const endpoint of writes) {
      const params = Object.fromEntries(
        [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, name]),
      );
      const locals = { requestId: 'req-1', userId: 'u1', resources: namedInPath(endpoint, params) };
      await reportAnswer({ activity }, endpoint, { locals } as unknown as GatewayResponse, 200);
    }
    const waiting = await outbox.first(writes.length);
    assert.equal(waiting.length, writes.length);
    events = waiting.map(({ event }, index) => [`${writes[index]?.method} ${writes[index]?.path}`, event]);
  });

  const where = (isUnfit: (event: CadfEvent, name: string) => boolean) =>
    events
      .filter(([name, event]) => isUnfit(event, name))
      .map(([name, { action, target }]) => [name, action, target]);

  it('has a type for its target', () => {
    assert.deepEqual(
      where(({ target }) => target.typeURI === GATEWAY),
      [],
    );
  });

  it('has an action, which deletes nothing but the target', () => {
    assert.deepEqual(
      where(({ action }) => !ACTION.test(action)),
      [],
    );
    assert.deepEqual(
      where(
        ({ action }, name) => action === 'delete' && !name.startsWith('DELETE ') && !DELETING.includes(name),
      ),
      [],
    );
  });

  it('has the id of the target if the path names it', () => {
    const found = Object.fromEntries(
      events.map(([name, { action, target }]) => [name, [action, target.typeURI, target.id]]),
    );
    const expected = {
      'PATCH /api/lite/clusters/:cluster_id/scale': ['update/scale', 'compute/lite_cluster', 'cluster_id'],
      'DELETE /api/lite/clusters/:cluster_id': ['delete', 'compute/lite_cluster', 'cluster_id'],
      'DELETE /api/clusters/:cluster_id': ['delete', 'compute/cluster', 'cluster_id'],
      'PUT /api/admin/quotas/:project_id': ['update', 'data/security/project', 'project_id'],
      'DELETE /api/admin/groups/:group_id/users/:user_id': [
        'update/users/delete',
        'data/security/group',
        'group_id',
      ],
      'DELETE /api/admin/roles/assign-group': [
        'update/assign-group/delete',
        'data/security/group',
        'unknown',
      ],
      'POST /api/auth/extend-session': ['update/extend-session', 'service/security/account/user', 'u1'],
      'PUT /api/profile/password': ['update/password', 'service/security/account/user', 'u1'],
      'POST /api/auth/application-credentials': ['create', 'data/security/credential', 'unknown'],
      'POST /api/admin/queues/:queue/entries/:entry_id/run': [
        'update/run',
        'service/oss/queue/entry',
        'entry_id',
      ],
    };
    for (const [name, event] of Object.entries(expected)) assert.deepEqual(found[name], event, name);
  });
});
