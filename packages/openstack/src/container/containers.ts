import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

export interface ContainerRecord {
  uuid: string;
  name: string;
  project_id: string;
  /** `Creating`, `Created`, `Running`, `Stopped`, `Paused`, `Error`, `Deleting`, … */
  status: string;
  status_reason: string | null;
  image: string;
  /** Newer services send the arguments as a list. */
  command: string | string[] | null;
  /** Cores; null without a limit. */
  cpu: number | null;
  /** MB, with or without a unit, such as `512M`; null without a limit. */
  memory: string | null;
  /** By network id. */
  addresses: Record<string, ContainerAddress[]>;
  /** Null or empty before the container is placed. Absent for users who are no administrators. */
  host?: string | null;
  /** Absent in many releases. */
  created_at?: string | null;
  updated_at?: string | null;
}

interface ContainerAddress {
  addr: string;
  port: string;
}

interface ContainerCreate {
  image: string;
  name?: string;
  command?: string;
  cpu?: number;
  /** MB. */
  memory?: number;
}

export type ContainerAction = 'start' | 'stop' | 'reboot';

export class Containers {
  readonly #container: ServiceClient;

  constructor(container: ServiceClient) {
    this.#container = container;
  }

  /** The containers of the project, also for an administrator. */
  list(): Promise<ContainerRecord[]> {
    return this.#container.list('containers.list', '/containers', 'containers');
  }

  /** The containers of all projects; for administrators. */
  listOfAll(): Promise<ContainerRecord[]> {
    return this.#container.list('containers.list', '/containers', 'containers', { all_projects: true });
  }

  /** `id` may also be the container's name. */
  get(id: string): Promise<ContainerRecord> {
    return this.#container.get('containers.get', path`/containers/${id}`);
  }

  /** Creates a container without starting it. */
  create(container: ContainerCreate): Promise<ContainerRecord> {
    return this.#container.post('containers.create', '/containers', container);
  }

  act(id: string, action: ContainerAction): Promise<void> {
    return this.#container.requestVoid('POST', `containers.${action}`, path`/containers/${id}/${action}`);
  }

  /** Stops a running container first. */
  remove(id: string): Promise<void> {
    return this.#container.remove('containers.remove', path`/containers/${id}`, {
      query: { stop: true },
    });
  }

  /** The same for a container of any project; for administrators. */
  removeOfAny(id: string): Promise<void> {
    return this.#container.remove('containers.remove', path`/containers/${id}`, {
      query: { stop: true, all_projects: true },
    });
  }
}
