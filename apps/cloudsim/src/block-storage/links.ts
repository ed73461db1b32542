/** The links of a record; `base` is the service's URL with the project. */
export function linksOf(base: string, kind: string, id: string): object[] {
  const version = base.lastIndexOf('/v3/');
  const withoutVersion = base.slice(0, version) + base.slice(version + '/v3'.length);
  return [
    { rel: 'self', href: `${base}/${kind}/${id}` },
    { rel: 'bookmark', href: `${withoutVersion}/${kind}/${id}` },
  ];
}
