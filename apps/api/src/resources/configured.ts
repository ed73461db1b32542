import { conflict } from '@gateway/core';
import { type BoundClient, domainReference, type ImageRecord, type NetworkRecord } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import type { RequestContext } from '../pipeline/request-context.ts';

type Request = Pick<RequestContext, 'app' | 'caller' | 'openstack'>;
type Kind = 'domain' | 'project' | 'user' | 'image' | 'flavor' | 'network' | 'volume type';

/** A setting that names a resource of the cloud. */
export interface Naming {
  /** Its key in the configuration file. */
  setting: string;
  /** Name or id. */
  value: string;
  /** Name or id of the domain of a user or a project. */
  domain?: string;
}

/** What the configuration names. Without it the gateway, or a part of it, does not work. See decision 156. */
export function namingsIn(config: Config): Record<Kind, Naming[]> {
  const { builds, identity, instances, libraries, lite, serviceUser } = config;
  const { domains, projects } = identity.adminScope;
  const named = (setting: string, value: string | null, domain?: string): Naming[] =>
    value === null ? [] : [{ setting, value, domain }];
  const ofBuilds = (key: 'image' | 'flavor' | 'network') => [
    ...named(`builds.${key}`, builds[key]),
    ...libraries.flatMap(({ build, id }) => named(`libraries, build.${key} of ${id}`, build[key])),
  ];
  const service = (key: string, value?: string, domain?: string) =>
    named(`service_user.${key}`, value ?? null, domain);
  const scope = 'identity.admin_scope';
  return {
    domain: [
      ...service('user_domain', serviceUser?.userDomain),
      ...service('project_domain', serviceUser?.projectDomain),
      ...domains.flatMap((domain) => named(`${scope}.domains`, domain)),
      ...projects.flatMap(({ domain }) => named(`${scope}.projects`, domain)),
    ],
    project: [
      ...service('project_name', serviceUser?.projectName, serviceUser?.projectDomain),
      ...projects.flatMap(({ domain, project }) => named(`${scope}.projects`, project, domain)),
    ],
    user: service('username', serviceUser?.username, serviceUser?.userDomain),
    image: [...named('lite.image', lite.image), ...ofBuilds('image')],
    flavor: [
      ...named('lite.server_flavor', lite.serverFlavor),
      ...named('lite.agent_flavor', lite.agentFlavor),
      ...ofBuilds('flavor'),
    ],
    network: [
      ...named('instances.default_network_id', instances.defaultNetworkId),
      ...named('instances.external_network_id', instances.externalNetworkId),
      ...named('lite.network_id', lite.networkId),
      ...ofBuilds('network'),
    ],
    'volume type': named('lite.volume_type', lite.volumeType),
  };
}

interface Named {
  id: string;
  name: string | null;
}

interface Account extends Named {
  domain_id: string;
  /** Read if it is absent. */
  domain_name?: string;
}

/** The identity service treats names that differ only in case or accents as equal. */
const { compare } = new Intl.Collator('en', { sensitivity: 'base' });

export function isSameName(one: string, other: string): boolean {
  return compare(one, other) === 0;
}

export function refusal(what: string, { setting }: Naming): Error {
  return conflict('protected', `${what}: the gateway's configuration names it (${setting}).`);
}

/**
 * @param read reads the resource; not called if nothing of the kind is named
 * @param done such as `disabled`
 * @param newName for a change of its name, which may be the same
 * @throws 409 with the setting that names it
 */
export async function requireDispensable<K extends 'user' | 'project' | 'flavor' | 'volume type'>(
  { app, openstack }: Request,
  kind: K,
  read: () => Promise<K extends 'user' | 'project' ? Account : Named>,
  done: string,
  newName?: string,
): Promise<void> {
  const namings = namingsIn(app.config)[kind];
  if (namings.length === 0) return;
  const found: Named | Account = await read();
  if (found.name === newName) return;
  for (const naming of namings) {
    const isNamed =
      'domain_id' in found
        ? await isNamedAccount(openstack, naming, found as Account)
        : isNameOf(naming, found);
    if (isNamed) throw refusal(`The ${kind} cannot be ${done}`, naming);
  }
}

function isNameOf({ value }: Naming, { id, name }: Named): boolean {
  return value === id || value === name;
}

/**
 * A name that several images have finds none of them, nor does the name of what other projects keep for
 * themselves.
 *
 * @throws 409 with the setting that names it
 */
export function requireDispensableImage(request: Request, image: ImageRecord): Promise<void> {
  const { images } = request.openstack.image;
  return requireNotFound(request, 'image', image, async (name) => {
    const isSeen = image.visibility === 'public' || (await isServiceProject(request, image.owner ?? ''));
    return isSeen && (await images.list({ name })).length === 1;
  });
}

/** As for images. */
export function requireDispensableNetwork(request: Request, network: NetworkRecord): Promise<void> {
  const { networks } = request.openstack.network;
  return requireNotFound(request, 'network', network, async (name) => {
    const { project_id, 'router:external': isExternal, shared } = network;
    const isSeen = shared || isExternal || project_id === '' || (await isServiceProject(request, project_id));
    return isSeen && (await networks.list({ name })).length === 1;
  });
}

async function requireNotFound(
  { app }: Request,
  kind: 'image' | 'network',
  { id, name }: Named,
  isFoundBy: (name: string) => Promise<boolean>,
): Promise<void> {
  for (const naming of namingsIn(app.config)[kind]) {
    const { value } = naming;
    if (value === id || (value === name && (await isFoundBy(value))))
      throw refusal(`The ${kind} cannot be deleted`, naming);
  }
}

/** Whether the gateway's own user is among these users, which are read only if there is such a user. */
export async function hasServiceUser(
  request: Request,
  read: () => Promise<readonly Account[]>,
): Promise<boolean> {
  const [naming] = namingsIn(request.app.config).user;
  if (naming === undefined) return false;
  for (const user of await read()) if (await isNamedAccount(request.openstack, naming, user)) return true;
  return false;
}

/**
 * Whether the service user works in this project. Members can ask about their own.
 *
 * @param known is read if it is absent
 */
export async function isServiceProject(
  request: Request,
  projectId: string,
  known?: Account,
): Promise<boolean> {
  const { app, caller, openstack } = request;
  const naming = namingsIn(app.config).project.find(({ setting }) => setting.startsWith('service_user.'));
  if (naming === undefined) return false;
  const { identity } = caller;
  const project =
    projectId === identity.projectId
      ? {
          id: projectId,
          name: identity.projectName,
          domain_id: identity.projectDomainId,
          domain_name: identity.projectDomainName,
        }
      : (known ?? (await openstack.identity.projects.get(projectId)));
  return isNamedAccount(openstack, naming, project);
}

/** Projects can be named by id; a name of that form does not pass for an id. */
const ACCOUNT_ID = /^[0-9a-f]{32}$/;

async function isNamedAccount(
  { identity }: BoundClient,
  { domain, value }: Naming,
  { domain_id, domain_name, id, name }: Account,
): Promise<boolean> {
  if (ACCOUNT_ID.test(value)) return value === id;
  if (domain === undefined || !isSameName(value, name ?? '')) return false;
  const reference = domainReference(domain);
  if ('id' in reference) return reference.id === domain_id;
  return isSameName(domain_name ?? (await identity.domains.get(domain_id)).name, reference.name);
}
