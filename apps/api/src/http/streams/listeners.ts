import type { Request } from 'express';
import type { Credentials } from '../../auth/authenticator.ts';
import type { Caller } from '../../auth/caller.ts';

/** An open stream of what changes in a project. */
export interface Listener {
  /** The request that has opened the stream. */
  readonly request: Request;
  readonly caller: Caller;
  readonly credentials: Credentials;
  /** The types of resources that the stream has. */
  readonly types: ReadonlySet<string>;
  /** The types whose lists the cloud refuses to this listener. */
  readonly refusedTypes: Set<string>;
}

/** Who listens in this process, by project. */
export class Listeners {
  readonly #byProject = new Map<string, Set<Listener>>();
  #onAdded: (projectId: string, listener: Listener) => void = () => {};

  /** Calls `onAdded` for each new listener. */
  watch(onAdded: (projectId: string, listener: Listener) => void): void {
    this.#onAdded = onAdded;
  }

  /** Returns a function that removes the listener. */
  add(listener: Listener): () => void {
    const { projectId } = listener.caller.identity;
    const ofProject = this.#byProject.get(projectId) ?? new Set();
    ofProject.add(listener);
    this.#byProject.set(projectId, ofProject);
    this.#onAdded(projectId, listener);
    return () => {
      ofProject.delete(listener);
      if (ofProject.size === 0 && this.#byProject.get(projectId) === ofProject)
        this.#byProject.delete(projectId);
    };
  }

  has(projectId: string): boolean {
    return this.#byProject.has(projectId);
  }

  get projectIds(): string[] {
    return [...this.#byProject.keys()];
  }

  /**
   * A listener for this type in the project, and of this user if one is given. One whom the cloud refuses the
   * list comes last. Else the newest has the freshest token.
   */
  find(projectId: string, type: string, userId: string | null): Listener | null {
    let found: Listener | null = null;
    let refused: Listener | null = null;
    for (const listener of this.#byProject.get(projectId) ?? []) {
      if (!listener.types.has(type)) continue;
      if (userId !== null && listener.caller.identity.userId !== userId) continue;
      if (listener.refusedTypes.has(type)) refused = listener;
      else found = listener;
    }
    return found ?? refused;
  }
}
