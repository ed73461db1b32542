import { keyed, list, text } from './kinds.ts';

/** Another name of images at a mirror. */
export interface RegistryRewrite {
  /** Regular expression for the path of an image, without registry and tag. */
  pattern: string;
  /** The path at the mirror, with `$1` or `${1}` for the first group. */
  replacement: string;
}

/**
 * k3s ignores a pattern that it cannot compile, and a group that does not exist. So patterns are limited to
 * simple ones, which are checked here.
 */
export const registryRewrites = () =>
  list(
    keyed({
      pattern: text().required().description('Regular expression for the name without registry and tag.'),
      replacement: text().required().description('The name at the mirror; $1 is the first group.'),
    })
      .custom((rewrite: RegistryRewrite, helpers) => {
        const groups = groupsOf(rewrite.pattern);
        if (groups === null) return helpers.error('rewrite.pattern');
        return isReplacement(rewrite.replacement, groups) ? rewrite : helpers.error('rewrite.replacement');
      })
      .messages({
        'rewrite.pattern':
          '{{#label}} must have as "pattern" a regular expression of names, classes, groups, alternatives, and the quantifiers ' +
          '"*", "+" and "?"',
        'rewrite.replacement':
          '{{#label}} must have the path of an image as "replacement", in which "$1" stands for the first group',
      }),
  )
    .unique('pattern')
    .messages({ 'array.unique': '{{#label}} has the pattern of an earlier one' });

/** The atoms and quantifiers of a pattern. */
const PART = /\[\^?(?:a-z|A-Z|0-9|[\w./])+-?\]|\\[.dw]|[*+?]|[\w./-]/g;

/** The number of groups; null for a pattern that k3s may not understand. */
function groupsOf(pattern: string): number | null {
  const shape = pattern
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replaceAll(PART, (part) => ('*+?'.includes(part) ? 'q' : 'a'));
  if (!/^[aq()|]+$/.test(shape)) return null;
  // A quantifier without an atom, or an empty alternative.
  if (/(?:^|[(|q])q|[(|](?=[)|])|^\||[(|]$/.test(shape)) return null;
  let depth = 0;
  for (const character of shape) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return null;
  }
  return depth === 0 ? shape.split('(').length - 1 : null;
}

/** Go reads `$1a` as a group with the name `1a`. */
function isReplacement(replacement: string, groups: number): boolean {
  const rest = replacement.replaceAll(
    /\$(?:(\d+)(?!\w)|\{(\d+)\})/g,
    (found, bare?: string, braced?: string) => (Number(bare ?? braced) <= groups ? '' : found),
  );
  return /^[a-z0-9._/-]*$/.test(rest);
}
