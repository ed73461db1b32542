/** Fields with ids: one, a list of them, or several with a slash between. */
const IDS = new Set(['userId', 'user_id', 'resourceId', 'resourceIds', 'resource_id']);
/** Fields whose keys are ids. */
const BY_ID = new Set(['resourceNames', 'resourceTypes']);
const SENTENCES = new Set(['detail', 'message']);
/** Fields whose text is JSON. */
const NESTED = new Set(['failure']);

const WORD_BEFORE = /[\p{L}\p{N}_-][.@]?$/u;
const WORD_AFTER = /^[.@]?[\p{L}\p{N}_-]/u;

/**
 * A stored value with another id in place of one that people have chosen, such as `jo`, which may be a part
 * or the whole of any other text: only where ids stand, and as a word of a sentence.
 */
export function replaceChosenId(value: unknown, from: string, to: string): unknown {
  const inIds = (ids: unknown): unknown => {
    if (Array.isArray(ids)) return ids.map(inIds);
    if (typeof ids !== 'string') return ids;
    return ids
      .split('/')
      .map((id) => (id === from ? to : id))
      .join('/');
  };
  const inField = (name: string, field: unknown): unknown => {
    if (IDS.has(name)) return inIds(field);
    if (typeof field !== 'string') return BY_ID.has(name) ? withKeys(field, inIds) : inAll(field);
    if (SENTENCES.has(name)) return inSentence(field, from, to);
    return NESTED.has(name) ? inJson(field, inAll) : field;
  };
  const inAll = (fields: unknown): unknown => {
    if (Array.isArray(fields)) return fields.map(inAll);
    if (typeof fields !== 'object' || fields === null) return fields;
    return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, inField(name, field)]));
  };
  return inAll(value);
}

function withKeys(byId: unknown, replace: (id: string) => unknown): unknown {
  if (typeof byId !== 'object' || byId === null) return byId;
  return Object.fromEntries(Object.entries(byId).map(([id, value]) => [replace(id), value]));
}

function inJson(text: string, replace: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(replace(JSON.parse(text)));
  } catch {
    return text;
  }
}

function inSentence(sentence: string, from: string, to: string): string {
  const [first = '', ...others] = sentence.split(from);
  return others.reduce((before, after) => {
    const isPart = WORD_BEFORE.test(before) || WORD_AFTER.test(after);
    return before + (isPart ? from : to) + after;
  }, first);
}
