/**
 * The page that shows the document. Its folder has the files of swagger-ui-dist and those of `assets`.
 * @param prefix what precedes the gateway's paths
 */
export function documentationPage(prefix: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Cloud Resource Gateway</title>
    <link rel="icon" type="image/png" href="${prefix}/api/docs/favicon-32x32.png">
    <link rel="stylesheet" href="${prefix}/api/docs/swagger-ui.css">
    <link rel="stylesheet" href="${prefix}/api/docs/docs.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${prefix}/api/docs/swagger-ui-bundle.js"></script>
    <script src="${prefix}/api/docs/swagger-ui-standalone-preset.js"></script>
    <script type="module" src="${prefix}/api/docs/docs.js"></script>
  </body>
</html>
`;
}
