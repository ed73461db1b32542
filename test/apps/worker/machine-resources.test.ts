import assert from 'node:assert/strict';
import type { BuildSettings } from '@gateway/libraries';
import type { BoundClient } from '@gateway/openstack';
import type { LibraryDefinition } from '@gateway/platform';
import {
  findImage,
  findNetworkId,
} from '../../../apps/worker/src/sagas/library-machines/machine-resources.ts';

const settings = { image: 'builder', network: 'builders' } as BuildSettings;
const library = { id: 'python311', osVersions: [] } as unknown as LibraryDefinition;

describe('what the configuration names for builds', () => {
  /** The service user sees what all projects have. */
  function clientWith(images: object[], networks: object[]): { service: BoundClient; projectId: string } {
    const service = {
      image: { images: { list: async () => images } },
      network: { networks: { list: async () => networks } },
    };
    return { service: service as unknown as BoundClient, projectId: 'service' };
  }

  const image = (id: string, owner: string, visibility: string) => ({
    id,
    name: 'builder',
    owner,
    visibility,
  });
  const network = (id: string, project_id: string, shared: boolean) => ({
    id,
    name: 'builders',
    project_id,
    shared,
    'router:external': false,
  });

  it('is public or its own, whatever others name theirs', async () => {
    const others = [image('theirs', 'tenant', 'private'), image('for all', 'tenant', 'community')];
    const client = clientWith(
      [...others, image('public', 'operators', 'public')],
      [network('theirs', 'tenant', false), network('own', 'service', false)],
    );

    assert.equal((await findImage(client, settings, library)).id, 'public');
    assert.equal(await findNetworkId(client, settings), 'own');
  });

  it("is not a tenant's, if nothing else has the name", async () => {
    const client = clientWith([image('theirs', 'tenant', 'shared')], [network('theirs', 'tenant', false)]);

    const isMissing = { status: 503, message: /there is no (public image|shared network) "builders?"/ };
    await assert.rejects(findImage(client, settings, library), isMissing);
    await assert.rejects(findNetworkId(client, settings), isMissing);
  });
});
