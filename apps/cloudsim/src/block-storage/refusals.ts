import { badRequest, notFound, ServiceError } from '../common/service-error.ts';

export function malformed(): ServiceError {
  return badRequest(
    'The server could not comply with the request since it is either malformed or otherwise incorrect.',
  );
}

export function missingProperty(name: string, property: string): ServiceError {
  return badRequest(`Invalid input for field/attribute ${name}. '${property}' is a required property`);
}

/** The database rejects text with an unpaired surrogate. */
export function notStored(): ServiceError {
  return new ServiceError(
    500,
    'The server has either erred or is incapable of performing the requested operation.',
  );
}

export function missing(noun: string): (id: string) => ServiceError {
  return (id) => notFound(`${noun} ${id} could not be found.`);
}
