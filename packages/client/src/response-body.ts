/** The body of a response: JSON, text, a `Blob` for other media types, or undefined for none. */
export async function readResponseBody(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type');
  if (type === null) return undefined;
  if (type.startsWith('application/json')) return response.json();
  return type.startsWith('text/') ? response.text() : response.blob();
}
