/** `libraries` becomes `library`. A word that has no other form stays. */
export function singular(noun: string): string {
  if (/(?:ss|us|dns|timeseries|defaults)$/.test(noun)) return noun;
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  return noun.replace(/(?<=as)es$|s$/, '');
}

/** The form of the other number. Null for a word that has only one, such as `timeseries`. */
export function otherNumber(noun: string): string | null {
  const one = singular(noun);
  if (one !== noun) return one;
  const many = noun.replace(/(?<=[^aeiou])y$/, 'ie').concat('s');
  return singular(many) === noun ? many : null;
}
