// Runs in the browser without a build step. Earlier scripts define `SwaggerUIBundle` and
// `SwaggerUIStandalonePreset`.

/** What the page leaves out, or shows in another way. */
const adapted = {
  wrapComponents: {
    // There is one server: that of the page.
    ServersContainer: () => () => null,
    // Without a heading of the second level, those of the groups are two levels below the title.
    operations:
      (Original, { React }) =>
      (props) =>
        React.createElement(
          React.Fragment,
          null,
          React.createElement('h2', { className: 'for-screen-readers' }, 'Operations'),
          React.createElement(Original, props),
        ),
    // A link inside the button that opens an operation cannot be reached by keyboard. Opening sets the
    // address anyway.
    DeepLink:
      (_Original, { React }) =>
      ({ text }) =>
        React.createElement('span', null, text),
  },
  // Swagger UI itself prepares the whole document anew for each operation that a reader opens, which takes
  // seconds.
  fn: {
    resolveSubtree: async (document, path) => ({
      spec: dereferenced(valueAt(document, path), document),
      errors: [],
    }),
  },
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (document) => {
          omitOptionalExamples(document);
          return update(document);
        },
      },
    },
  },
};

/** A part of the document without references. One within what it refers to stays. */
function dereferenced(part, document, within = []) {
  if (part === null || typeof part !== 'object') return part;
  if (Array.isArray(part)) return part.map((each) => dereferenced(each, document, within));
  const reference = part.$ref;
  if (typeof reference === 'string' && reference.startsWith('#/')) {
    if (within.includes(reference)) return part;
    const target = valueAt(document, reference.slice(2).split('/').map(unescaped));
    return dereferenced(target, document, [...within, reference]);
  }
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, dereferenced(value, document, within)]),
  );
}

function valueAt(document, path) {
  return path.reduce((value, key) => value?.[key], document);
}

/** A key of a JSON Pointer (RFC 6901). */
function unescaped(key) {
  return decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * The page sends the example of a parameter unless the reader removes it. That of a filter may match no row,
 * and that of a marker is refused.
 */
function omitOptionalExamples({ paths = {} }) {
  const parameters = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap((operation) => operation.parameters ?? []);
  for (const parameter of parameters) {
    if (parameter.in === 'query' && !parameter.required) delete parameter.example;
  }
}

new MutationObserver(complete).observe(document.body, { childList: true, subtree: true });

SwaggerUIBundle({
  // The gateway may be below a path of its host.
  url: new URL('../openapi.json', import.meta.url).pathname,
  dom_id: '#swagger-ui',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl, () => adapted],
  layout: 'StandaloneLayout',
  validatorUrl: null,
  // A token that was entered under Authorize is gone with the page: a stored one would outlive the session.
  persistAuthorization: false,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  deepLinking: true,
  filter: true,
});

/** Adds what screen readers and keyboards need and Swagger UI leaves out. */
function complete() {
  for (const select of document.querySelectorAll('select:not([aria-label])')) {
    select.setAttribute('aria-label', select.closest('.examples-select') ? 'Example' : 'Media type');
  }
  for (const code of document.querySelectorAll('pre.microlight:not([tabindex])')) code.tabIndex = 0;
  for (const block of document.querySelectorAll('.microlight:not([tabindex])')) block.tabIndex = 0;
  // The schemas stand beside the operations and the webhooks, whose headings are of the second level.
  for (const heading of document.querySelectorAll('.models > h4:not([aria-level])')) heading.ariaLevel = '2';
  const dialog = document.querySelector('.modal-ux');
  if (dialog !== null) completeDialog(dialog);
}

/** The dialog of Authorize, which opens at its last field. */
function completeDialog(dialog) {
  for (const button of dialog.querySelectorAll('.auth-btn-wrapper [aria-label]')) {
    button.removeAttribute('aria-label');
  }
  if (dialog.role === 'dialog') return;
  dialog.role = 'dialog';
  dialog.ariaModal = 'true';
  dialog.ariaLabel = 'Available authorizations';
  dialog.querySelector('.close-modal').ariaLabel = 'Close';
  for (const heading of dialog.querySelectorAll('h3')) heading.ariaLevel = '2';
  for (const heading of dialog.querySelectorAll('h4')) heading.ariaLevel = '3';
  dialog.querySelector('input')?.focus();
}
