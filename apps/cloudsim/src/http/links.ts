const VERSION = /\/v\d+(\.\d+)?(?=\/|$)/;

/** The links of a record. `base` is the URL of the service, and `path` that of the record below it. */
export function selfAndBookmark(base: string, path: string): object[] {
  return [{ rel: 'self', href: `${base}/${path}` }, bookmark(base, path)];
}

/** The link without the version of the service. */
export function bookmark(base: string, path: string): object {
  return { rel: 'bookmark', href: `${base.replace(VERSION, '')}/${path}` };
}
