/**
 * Whether a validated body has no field. An update without one changes nothing, and is answered as a read, so
 * that clients can send whatever differs.
 */
export function isEmpty(body: object): boolean {
  return Object.keys(body).length === 0;
}
