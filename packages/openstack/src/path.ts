import { notFound } from '@gateway/core';

/**
 * A path whose variable parts are encoded. A part that would climb to another resource (empty, `.`, `..`) names
 * nothing that can be there: it throws a 404 before any call is made.
 */
export function path(texts: TemplateStringsArray, ...parts: string[]): string {
  return texts.reduce((left, text, index) => left + segment(parts[index - 1] ?? '') + text);
}

function segment(part: string): string {
  if (part === '' || part === '.' || part === '..') throw notFound('The resource was not found.');
  return encodeURIComponent(part);
}
