import { z } from 'zod';
import { item, key, listOf, mapOf, numberOrNull, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

const containerRecord = declareRecord('container', 'container', {
  uuid: key(),
  name: text(),
  project_id: text(),
  /** `Creating`, `Created`, `Running`, `Stopped`, `Paused`, `Error`, `Deleting`, … */
  status: text('Unknown'),
  status_reason: text(),
  image: text(),
  /** Newer services send the arguments as a list. */
  command: z.union([z.string(), z.array(z.string())]).catch(''),
  /** Cores; null without a limit. */
  cpu: numberOrNull(),
  /** MB, with or without a unit, such as `512M`; null without a limit. */
  memory: textOrNull(),
  /** By network id. */
  addresses: mapOf(listOf(item({ addr: key(), port: text() }))),
  /** Null or empty before the container is placed, and for users who are no administrators. */
  host: textOrNull(),
  /** Absent in many releases. */
  created_at: textOrNull(),
  updated_at: textOrNull(),
});

export type ContainerRecord = RecordOf<typeof containerRecord>;

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
    return this.#container.list('containers.list', '/containers', 'containers', containerRecord);
  }

  /** The containers of all projects; for administrators. */
  listOfAll(): Promise<ContainerRecord[]> {
    return this.#container.list('containers.list', '/containers', 'containers', containerRecord, {
      all_projects: true,
    });
  }

  /** `id` may also be the container's name. */
  get(id: string): Promise<ContainerRecord> {
    return this.#container.getRecord('containers.get', path`/containers/${id}`, null, containerRecord);
  }

  /** Creates a container without starting it. */
  create(container: ContainerCreate): Promise<ContainerRecord> {
    return this.#container.postRecord('containers.create', '/containers', null, containerRecord, container);
  }

  act(id: string, action: ContainerAction): Promise<void> {
    return this.#container.requestVoid('POST', `containers.${action}`, path`/containers/${id}/${action}`);
  }

  /** The last lines that the container has written, to its output and its errors. */
  log(id: string, lines: number): Promise<string> {
    const options = { query: { tail: lines }, isText: true };
    return this.#container.requestJson('GET', 'containers.log', path`/containers/${id}/logs`, options);
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

  /** Also one in a state that never ends, of any project; for administrators. */
  forceRemoveOfAny(id: string): Promise<void> {
    return this.#container.remove('containers.remove', path`/containers/${id}`, {
      query: { force: true, all_projects: true },
    });
  }
}
