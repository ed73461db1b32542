/** A handler's result with another status than the endpoint declares. */
export class Reply<Body = unknown> {
  readonly status: number;
  readonly body: Body;

  constructor(status: number, body: Body) {
    this.status = status;
    this.body = body;
  }
}

/** The body of a handler's result. */
export function bodyOf(result: unknown): unknown {
  return result instanceof Reply ? result.body : result;
}
