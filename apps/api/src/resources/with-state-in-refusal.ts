import { conflict, trimEndChars } from '@gateway/core';
import { isConflict, isNotFound, UpstreamError } from '@gateway/openstack';
import { ifBlockStorageStays } from '@gateway/resources';

interface RefusableWrite<T> {
  /** The resource and what the write does to it, as `The volume cannot be deleted`. */
  failure: string;
  write: () => Promise<T>;
  /** Reads the resource whose state may forbid the write. */
  read: () => Promise<{ status: string }>;
}

/**
 * Sends a write to the block storage service. If the service refuses the write because of the state of a
 * resource, adds that state to the error, because the service's own message often lacks the state.
 *
 * @throws 409 if the state forbids the write, 404 if the resource has been deleted meanwhile
 */
export async function withStateInRefusal<T>({ failure, write, read }: RefusableWrite<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isRefusedByState(error)) throw error;
    const status = await statusOf(read);
    if (status === null) throw error;
    const options = { cause: error, params: { state: status }, upstream: error.upstream };
    const inState = `${failure} in its state ${status}: `;
    if (isDeletableState(error, status))
      throw conflict('refused_by_service', inState + NOT_BY_STATE, options);
    const hint = ifBlockStorageStays({ status });
    throw conflict('wrong_state', `${inState}${reasonOf(error)}${hint}`, options);
  }
}

function isRefusedByState(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.status === 409 && error.code === 'conflict';
}

/** Null if the resource cannot be read now. The read may throw a better refusal. */
async function statusOf(read: () => Promise<{ status: string }>): Promise<string | null> {
  try {
    return (await read()).status;
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) throw error;
    return null;
  }
}

/** Reasons of the service that quote its code, or list all accepted values. */
const CLEARER: readonly (readonly [RegExp, string])[] = [
  [/^Volume \S+ status must be '\{/, 'it has to be available'],
  [/^Volume \S+ status must be available, but /, 'it has to be available'],
  [/^Volume status must be available or error\b/, 'it has to be available or failed, and not in use'],
  [/^Cannot reset-state to in-use because /, 'it is not attached'],
];

/** The refusal of a deletion lists all conditions: the states that allow it, and what else forbids it. */
const DELETION = 'Volume status must be ';

const NOT_BY_STATE = 'it may be attached, migrating, in a group, or parted from its snapshots by a transfer.';

/** Whether the service has refused the deletion of a volume whose state allows that. */
function isDeletableState(error: UpstreamError, status: string): boolean {
  const [states = '', others] = withoutException(error).split(' and must not ');
  if (others === undefined || !states.startsWith(DELETION)) return false;
  return states.slice(DELETION.length).split(' or ').includes(status);
}

function withoutException({ message }: UpstreamError): string {
  return message.replace(/^Invalid (?:volume|snapshot|backup): /, '');
}

/** The service's message as the end of a sentence, without the name of its exception. */
export function reasonOf(error: UpstreamError): string {
  const reason = trimEndChars(withoutException(error), '.');
  return `${CLEARER.find(([pattern]) => pattern.test(reason))?.[1] ?? reason}.`;
}
