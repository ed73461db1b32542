const OPERATIONS = `    <div id="swagger-ui"></div>
    <script src="PREFIX/api/docs/swagger-ui-bundle.js"></script>
    <script src="PREFIX/api/docs/swagger-ui-standalone-preset.js"></script>
    <script type="module" src="PREFIX/api/docs/docs.js"></script>`;

const TEXT = `    <main>
      <noscript>This page needs JavaScript.</noscript>
      <form role="search"><input type="search" aria-label="Search" placeholder="Search"></form>
      <ol id="found" aria-label="Found" hidden></ol>
      <details id="contents"><summary>Contents</summary><ul></ul></details>
      <article></article>
    </main>
    <script type="module" src="PREFIX/api/docs/guide.js"></script>`;

/** The pages, by the last part of their address. */
const PAGES = {
  '': { title: 'Operations', body: OPERATIONS, styles: ['swagger-ui.css', 'docs.css'] },
  guide: { title: 'Guide', body: TEXT, styles: ['guide.css'] },
  errors: { title: 'Errors', body: TEXT, styles: ['guide.css'] },
  runbooks: { title: 'Runbooks', body: TEXT, styles: ['guide.css'] },
  operation: { title: 'Operating a gateway', body: TEXT, styles: ['guide.css'] },
};

export type PageName = keyof typeof PAGES;

export const pageNames = Object.keys(PAGES) as PageName[];

/**
 * A page of the documentation: the operations of the document, or a text of `docs`. Their folder has the
 * files of the libraries, those of `assets` and the texts.
 * @param prefix what precedes the gateway's paths
 */
export function documentationPage(prefix: string, name: PageName): string {
  const { body, styles, title } = PAGES[name];
  const links = Object.entries(PAGES).map(
    ([to, { title: text }]) =>
      `<a href="${prefix}/api/docs/${to}"${to === name ? ' aria-current="page"' : ''}>${text}</a>`,
  );
  const sheets = styles.map((file) => `    <link rel="stylesheet" href="${prefix}/api/docs/${file}">`);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Cloud Resource Gateway</title>
    <link rel="icon" type="image/png" href="${prefix}/api/docs/favicon-32x32.png">
${sheets.join('\n')}
  </head>
  <body>
    <nav class="pages" aria-label="Pages">${links.join(' ')}</nav>
${body.replaceAll('PREFIX', prefix)}
  </body>
</html>
`;
}
