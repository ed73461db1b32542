import type { BoundClient } from '@gateway/openstack';
import { record } from './recorder.ts';

/** A private flavor, its access and its extra specs, and the quotas of a project. */
export async function recordFlavorAccess(admin: BoundClient, projectId: string): Promise<void> {
  const { flavors, quotas } = admin.compute;
  const flavor = await record('compute/flavor-create-private', () =>
    flavors.create({
      name: 'record-private',
      vcpus: 1,
      ram: 64,
      disk: 0,
      description: 'For some projects',
      'os-flavor-access:is_public': false,
    }),
  );
  if (flavor === undefined) return;
  await record('compute/flavor-access-add', () => flavors.addAccess(flavor.id, projectId));
  await record('compute/flavor-access-exists', () => flavors.addAccess(flavor.id, projectId));
  await record('compute/flavor-access', () => flavors.listAccess(flavor.id));
  await record('compute/flavor-access-remove', () => flavors.removeAccess(flavor.id, projectId));
  await record('compute/flavor-access-missing', () => flavors.removeAccess(flavor.id, projectId));
  await flavors.setExtraSpecs(flavor.id, { 'pci_passthrough:alias': 'a100:2' });
  await record('compute/flavor-extra-spec-remove', () =>
    flavors.removeExtraSpec(flavor.id, 'pci_passthrough:alias'),
  );
  await record('compute/flavor-extra-spec-missing', () => flavors.removeExtraSpec(flavor.id, 'missing'));
  await flavors.remove(flavor.id);

  const before = await quotas.get(projectId);
  await record('compute/quotas-update', () => quotas.update(projectId, { instances: 7 }));
  await quotas.update(projectId, { instances: before.instances.limit });
  const storage = admin.blockStorage.quotas;
  const limits = await storage.get(projectId);
  await record('block-storage/quotas-update', () => storage.update(projectId, { volumes: 7 }));
  await storage.update(projectId, { volumes: limits.volumes.limit });
}
