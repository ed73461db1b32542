import assert from 'node:assert/strict';
import { resources, watchedResources } from '@gateway/core';
import { endpoints } from '../../../apps/api/src/routes/index.ts';

/** Ids in paths of what is no resource of its own, such as a part of a load balancer. */
const IDS_OF_PARTS = [
  'access_id',
  'credential_id',
  'entry_id',
  'gpu_type',
  'hm_id',
  'id',
  'job_id',
  'key',
  'listener_id',
  'member_id',
  'pool_id',
  'provider',
  'queue',
  'resource_id',
  'resource_type',
  'rule_id',
  'session_id',
  'type',
];

describe('the declared resources', () => {
  it('have one endpoint for each list that listeners watch', () => {
    const declared = endpoints.flatMap(({ watched = [] }) => watched);

    assert.deepEqual(declared.toSorted(), watchedResources.toSorted());
  });

  it('name the parameters of paths with their ids', () => {
    const ids = Object.values(resources).flatMap((facts) => ('idParam' in facts ? facts.idParam : []));
    const inPaths = endpoints.flatMap(({ path }) =>
      [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
    );

    const known = new Set<string>([...ids, ...IDS_OF_PARTS]);
    assert.deepEqual([...new Set(inPaths)].toSorted(), [...known].toSorted());
  });
});
