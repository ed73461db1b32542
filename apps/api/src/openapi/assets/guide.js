// Runs in the browser without a build step: shows a text of the documentation, and searches those for the
// same readers.
import { Marked } from './marked.js';
import MiniSearch from './minisearch.js';

/** The pages for developers of dashboards, and those for operators. */
const GROUPS = [
  ['guide', 'errors'],
  ['runbooks', 'operation'],
];
/** The pages of texts that have another name in the repository. */
const RENAMED = { 'api-guide': 'guide', operations: 'operation' };
const LANGUAGES = { sh: 'curl', ts: 'TypeScript', python: 'Python' };
const MAX_FOUND = 12;
const MIN_LETTERS = 2;
/** The choice of the reader, which is no secret. */
const CHOICE = 'docs.language';

const folder = new URL('.', import.meta.url);
const shownPage = location.pathname.split('/').at(-1);
const pages = GROUPS.find((group) => group.includes(shownPage));
const article = document.querySelector('article');

const marked = new Marked({
  renderer: {
    heading({ depth, text, tokens }) {
      return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>`;
    },
    // What the other texts of the repository say is not served.
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const to = /^(?:#|https?:)/.test(href) ? href : servedAddress(href);
      return to === undefined ? text : `<a href="${to}">${text}</a>`;
    },
    code({ lang, text }) {
      const language = lang in LANGUAGES ? ` data-language="${lang}"` : '';
      return `<pre tabindex="0"${language}><code>${escaped(text)}</code></pre>`;
    },
  },
});

/** As on the pages of the repository, so that links to headings lead there, too. */
function slugOf(text) {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
}

function servedAddress(href) {
  const [, text, fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  const page = RENAMED[text] ?? text;
  return GROUPS.flat().includes(page) ? `${page}${fragment}` : undefined;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The parts of a text from one heading to the next. */
function sectionsOf(page, tokens) {
  const sections = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const address = token.depth === 1 ? page : `${page}#${slugOf(token.text)}`;
      sections.push({ id: sections.length, address, title: token.text, depth: token.depth, text: '' });
    } else sections.at(-1).text += `${token.raw}\n`;
  }
  return sections;
}

/** Examples of the same in several languages, one below the other in the text, have buttons to choose. */
function groupExamples() {
  for (const first of article.querySelectorAll('pre[data-language]')) {
    if (first.previousElementSibling?.matches('pre[data-language]')) continue;
    const examples = [first];
    while (examples.at(-1).nextElementSibling?.matches('pre[data-language]')) {
      examples.push(examples.at(-1).nextElementSibling);
    }
    if (examples.length < 2) continue;
    const group = document.createElement('div');
    group.className = 'examples';
    first.before(group);
    const buttons = document.createElement('div');
    buttons.role = 'group';
    buttons.ariaLabel = 'Language';
    for (const { dataset } of examples) {
      const button = document.createElement('button');
      button.type = 'button';
      button.dataset.chooses = dataset.language;
      button.textContent = LANGUAGES[dataset.language];
      button.addEventListener('click', () => choose(dataset.language));
      buttons.append(button);
    }
    group.append(buttons, ...examples);
  }
}

function choose(language) {
  localStorage.setItem(CHOICE, language);
  document.documentElement.dataset.language = language;
  for (const button of document.querySelectorAll('[data-chooses]')) {
    button.ariaPressed = String(button.dataset.chooses === language);
  }
}

function showContents(sections) {
  const list = document.querySelector('#contents ul');
  for (const { address, depth, title } of sections) {
    if (depth !== 2) continue;
    list.append(linkTo(address, title));
  }
}

function linkTo(address, title, text = '') {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = new URL(address, folder);
  link.textContent = title;
  item.append(link);
  if (text) item.append(document.createElement('br'), text);
  return item;
}

function offerSearch(sections) {
  const search = new MiniSearch({
    fields: ['title', 'text'],
    storeFields: ['address', 'title', 'text'],
    searchOptions: { boost: { title: 3 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
  });
  search.addAll(sections.map((section, id) => ({ ...section, id })));
  const input = document.querySelector('[type=search]');
  const list = document.querySelector('#found');
  input.addEventListener('input', () => {
    const words = input.value.trim();
    const found = words.length < MIN_LETTERS ? [] : search.search(words).slice(0, MAX_FOUND);
    list.replaceChildren(
      ...found.map(({ address, title, text, terms }) => linkTo(address, title, partOf(text, terms))),
    );
    list.hidden = words.length < MIN_LETTERS;
    if (!list.hidden && found.length === 0) list.append('Nothing was found.');
  });
  document.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
  list.addEventListener('click', () => {
    list.hidden = true;
  });
}

/** The words around the first one that was found. */
function partOf(text, terms) {
  const plain = text.replaceAll(/\s+/g, ' ');
  const at = Math.max(0, ...terms.map((term) => plain.toLowerCase().indexOf(term)));
  const from = at < 60 ? 0 : plain.indexOf(' ', at - 60) + 1;
  return `${from > 0 ? '… ' : ''}${plain.slice(from, from + 160)} …`;
}

const texts = await Promise.all(
  pages.map(async (page) => [page, marked.lexer(await (await fetch(new URL(`${page}.md`, folder))).text())]),
);
const sections = Object.fromEntries(texts.map(([page, tokens]) => [page, sectionsOf(page, tokens)]));
article.innerHTML = marked.parser(Object.fromEntries(texts)[shownPage]);
for (const table of article.querySelectorAll('table')) {
  const frame = document.createElement('div');
  frame.className = 'wide';
  frame.tabIndex = 0;
  table.replaceWith(frame);
  frame.append(table);
}
groupExamples();
choose(localStorage.getItem(CHOICE) ?? 'sh');
showContents(sections[shownPage]);
offerSearch(Object.values(sections).flat());
// The browser has searched for the heading before it was there.
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
document.documentElement.dataset.isReady = '';
