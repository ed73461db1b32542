import { CachedList, type CachedListDeclaration, type LoadSources } from './cached-list.ts';
import { type Named, type NameSource, namesFrom } from './names.ts';

/** What members of a project read, and the same of all projects, which only administrators read. */
export interface ByScope<T> {
  project: T;
  cloud: T;
}

export type Scope = keyof ByScope<unknown>;

interface ListsDeclaration<Row> extends Omit<CachedListDeclaration<Row[]>, 'varyBy' | 'load'> {
  /** The readers of a project that share a response. */
  varyBy?: 'project' | 'roles';
  load(sources: LoadSources, scope: Scope): Promise<Row[]>;
}

/** A list of a project, and the list of all projects as `all<Name>`: one declaration of both. */
export class ListsByScope<Row> implements ByScope<CachedList<Row[]>> {
  readonly project: CachedList<Row[]>;
  readonly cloud: CachedList<Row[]>;

  constructor({ name, load, varyBy = 'project', ...shared }: ListsDeclaration<Row>) {
    const nameOfAll = `all${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    this.project = new CachedList({
      ...shared,
      name,
      varyBy,
      load: (sources) => load(sources, 'project'),
    });
    this.cloud = new CachedList({
      ...shared,
      name: nameOfAll,
      varyBy: 'nothing',
      lifetime: 'adminSeconds',
      load: (sources) => load(sources, 'cloud'),
    });
  }
}

export function namesByScope({ project, cloud }: ByScope<CachedList<Named[]>>): ByScope<NameSource> {
  return { project: namesFrom(project), cloud: namesFrom(cloud) };
}

/** The sources of the names beside these fields, for `addNames`. */
export function sourcesIn<Field extends string>(
  scope: Scope,
  fields: Record<Field, ByScope<NameSource>>,
): Record<Field, NameSource> {
  const entries = Object.entries<ByScope<NameSource>>(fields).map(([field, names]) => [field, names[scope]]);
  return Object.fromEntries(entries) as Record<Field, NameSource>;
}

/** The query of services that list one project unless asked for all. */
export function projectsIn(scope: Scope): { all_tenants: 1 } | undefined {
  return scope === 'cloud' ? { all_tenants: 1 } : undefined;
}
