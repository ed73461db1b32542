/** The body of a response, as its type says: JSON, a `Blob` for bytes, text, or undefined for none. */
export async function readResponseBody(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type');
  if (type === null) return undefined;
  if (type.startsWith('application/json')) return response.json();
  return type.startsWith('application/octet-stream') ? response.blob() : response.text();
}
