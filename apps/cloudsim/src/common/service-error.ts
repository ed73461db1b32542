/**
 * What a service says no with. State modules throw it without knowing HTTP bodies: each service's error format
 * turns status and message into what its original would send.
 */
export class Refusal extends Error {
  readonly status: number;
  /** The exception's name, for the services that put it on the wire (network). */
  readonly type: string;

  constructor(status: number, message: string, type = '') {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.type = type;
  }
}

export function badRequest(message: string, type = 'BadRequest'): Refusal {
  return new Refusal(400, message, type);
}

export function forbidden(message: string, type = 'PolicyNotAuthorized'): Refusal {
  return new Refusal(403, message, type);
}

export function notFound(message: string, type = 'HTTPNotFound'): Refusal {
  return new Refusal(404, message, type);
}

export function conflict(message: string, type = 'Conflict'): Refusal {
  return new Refusal(409, message, type);
}

/** Block storage and shared file systems answer an exceeded quota so, with `Retry-After: 0`. */
export function overLimit(message: string): Refusal {
  return new Refusal(413, message, 'OverLimit');
}
