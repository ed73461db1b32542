import { notFound } from '@gateway/core';

/**
 * Template tag that URL-encodes the path's parameters. A parameter that would lead to another resource (empty, `.`, `..`)
 * throws a 404 before any request is sent.
 */
export function path(texts: TemplateStringsArray, ...parts: string[]): string {
  return texts.reduce((path, text, index) => path + segment(parts[index - 1] ?? '') + text);
}

function segment(part: string): string {
  if (part === '' || part === '.' || part === '..') throw notFound('The resource was not found.');
  return encodeURIComponent(part);
}
