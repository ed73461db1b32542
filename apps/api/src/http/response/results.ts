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

/** A handler's result that sends a browser to another address. */
export class Redirect {
  readonly location: string;
  /** Of the header `Set-Cookie`. */
  readonly cookie: string;

  constructor(location: string, cookie: string) {
    this.location = location;
    this.cookie = cookie;
  }
}

/** A handler's result that clients save as a file, with the media type that the endpoint declares. */
export class Attachment {
  /** ASCII without quotes. */
  readonly fileName: string;
  readonly text: string;

  constructor(fileName: string, text: string) {
    this.fileName = fileName;
    this.text = text;
  }
}
