import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';

const PROJECT = '0c4e939acacf4376bdcd1129f1a054ad';
const QUOTAS = `/api/admin/gpu-quotas/${PROJECT}`;
const AUDIT = '/api/admin/audit';

/** Requests that are refused before a call to the cloud, with the field that the answer names. */
const refused: [method: string, path: string, field: string, body?: object][] = [
  ['PUT', QUOTAS, 'body.a100', { a100: -2 }],
  ['PUT', QUOTAS, 'body.a100', { a100: 1.5 }],
  ['PUT', QUOTAS, 'body.a100', { a100: '1' }],
  ['PUT', QUOTAS, 'body.a100.limit', { a100: {} }],
  ['PUT', QUOTAS, 'body.- ', { '- ': 1 }],
  ['PUT', QUOTAS, 'body. A', { a: 1, ' A': 1 }],
  ['PUT', QUOTAS, 'body.A1', { 'a-1': 1, A1: 2 }],
  ['GET', '/api/admin/timeseries/images', 'path.resource_type'],
  ['GET', '/api/admin/timeseries/instances?range=3d', 'query.range'],
  ['GET', `${AUDIT}?marker=1-1`, 'query.marker'],
  ['GET', `${AUDIT}?marker=unknown`, 'query.marker'],
  ['GET', `${AUDIT}?outcome=maybe`, 'query.outcome'],
  ['GET', `${AUDIT}?until=1969-12-31`, 'query.until'],
  ['POST', '/api/admin/hypervisors/h1/evacuation', 'body.host_is_off', { host_is_off: 'yes' }],
];

describe('the input of administrators', () => {
  const suite = apiSuite();

  for (const [method, path, field, body] of refused) {
    it(`is refused: ${method} ${path} ${JSON.stringify(body ?? {})}`, async () => {
      const api = await suite.start();
      const as = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));

      const answer = await api.request<ErrorBody>(method, path, { as, body });

      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_input'], answer.text);
      assert.deepEqual(
        answer.body.errors?.map((error) => error.field),
        [field],
      );
    });
  }
});
