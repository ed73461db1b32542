/**
 * An error response of a service. Services throw status and message; the service's error format builds the
 * body that the real service would send.
 */
export class ServiceError extends Error {
  readonly status: number;
  /** The exception's name, for services that send it (network). */
  readonly type: string;

  constructor(status: number, message: string, type = '') {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.type = type;
  }
}

export function badRequest(message: string, type = 'BadRequest'): ServiceError {
  return new ServiceError(400, message, type);
}

export function forbidden(message: string, type = 'PolicyNotAuthorized'): ServiceError {
  return new ServiceError(403, message, type);
}

export function notFound(message: string, type = 'HTTPNotFound'): ServiceError {
  return new ServiceError(404, message, type);
}

export function conflict(message: string, type = 'Conflict'): ServiceError {
  return new ServiceError(409, message, type);
}

/** The error for an exceeded quota in block storage and shared file systems, with `Retry-After: 0`. */
export function overLimit(message: string): ServiceError {
  return new ServiceError(413, message, 'OverLimit');
}
