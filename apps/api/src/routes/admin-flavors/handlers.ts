import type { ResourceName } from '@gateway/core';
import {
  allProjectNames,
  type FlavorAccess,
  presentAdminFlavor,
  presentFlavorAccess,
} from '@gateway/resources';
import type { ExtraSpecBody } from '../../http/schemas/extra-specs.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingListsOf } from '../../resources/changing-lists.ts';
import { requireDispensable } from '../../resources/configured.ts';
import { readServicePage } from '../../resources/service-page.ts';
import type { AccessBody, CreateFlavorBody, FlavorsQuery } from './schemas.ts';

type FlavorRequest<Body = unknown> = RequestContext<{ flavor_id: string }, unknown, Body>;

const CHANGED: readonly ResourceName[] = ['flavor'];

export function listFlavors({ openstack, query }: RequestContext<unknown, FlavorsQuery>) {
  const { is_public, ...page } = query;
  const shown = is_public === undefined ? ('None' as const) : (`${is_public}` as const);
  return readServicePage(
    page,
    (wanted) => openstack.compute.flavors.listPage({ is_public: shown, ...wanted }),
    presentAdminFlavor,
  );
}

export async function createFlavor(request: RequestContext<unknown, unknown, CreateFlavorBody>) {
  const { is_public, ...flavor } = request.body;
  const wanted = { ...flavor, 'os-flavor-access:is_public': is_public };
  const created = await changingListsOf(request, 'everybody', CHANGED, () =>
    request.openstack.compute.flavors.create(wanted),
  );
  return presentAdminFlavor(created);
}

/** Instances keep the flavor that they were created with. */
export async function deleteFlavor(request: FlavorRequest): Promise<void> {
  const { flavors } = request.openstack.compute;
  const { flavor_id } = request.params;
  await requireDispensable(request, 'flavor', () => flavors.get(flavor_id), 'deleted');
  await changingListsOf(request, 'everybody', CHANGED, () => flavors.remove(flavor_id));
}

/** Everybody may use a public flavor, so the service has no list. */
export async function listAccess(request: FlavorRequest): Promise<FlavorAccess[]> {
  const { flavors } = request.openstack.compute;
  const { flavor_id } = request.params;
  const flavor = await flavors.get(flavor_id);
  if (flavor['os-flavor-access:is_public']) return [];
  const access = await flavors.listAccess(flavor_id);
  const ids = new Set(access.map(({ tenant_id }) => tenant_id));
  const names = await allProjectNames(sourcesOf(request), ids);
  return access.map((one) => presentFlavorAccess(one, names));
}

export async function addAccess(request: FlavorRequest<AccessBody>): Promise<FlavorAccess> {
  const { flavor_id } = request.params;
  const { project_id } = request.body;
  const { compute, identity } = request.openstack;
  // Throws 404. The compute service does not check the project in every cloud.
  const project = await identity.projects.get(project_id);
  await changingListsOf(request, { projectId: project_id }, CHANGED, () =>
    compute.flavors.addAccess(flavor_id, project_id),
  );
  return { flavor_id, project_id, project_name: project.name };
}

export async function removeAccess(
  request: RequestContext<{ flavor_id: string; project_id: string }>,
): Promise<void> {
  const { flavor_id, project_id } = request.params;
  await changingListsOf(request, { projectId: project_id }, CHANGED, () =>
    request.openstack.compute.flavors.removeAccess(flavor_id, project_id),
  );
}

export async function setExtraSpec(request: FlavorRequest<ExtraSpecBody>): Promise<ExtraSpecBody> {
  const { key, value } = request.body;
  await changingListsOf(request, 'everybody', CHANGED, () =>
    request.openstack.compute.flavors.setExtraSpecs(request.params.flavor_id, { [key]: value }),
  );
  return { key, value };
}

export async function removeExtraSpec(
  request: RequestContext<{ flavor_id: string; key: string }>,
): Promise<void> {
  const { flavor_id, key } = request.params;
  await changingListsOf(request, 'everybody', CHANGED, () =>
    request.openstack.compute.flavors.removeExtraSpec(flavor_id, key),
  );
}
