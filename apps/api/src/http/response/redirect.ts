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
