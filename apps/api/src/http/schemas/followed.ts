/** The end of the description of an endpoint that streams such events. */
export const FOLLOWED =
  'Answers a stream of events that ends when the resource can be used. Leaving the stream does not stop the job: ' +
  '`X-Job-Id` names it, and its events can be followed again. If it fails or is cancelled, what it has created is removed.';
