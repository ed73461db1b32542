/** Characters without a special meaning in a shell or in systemd. */
const PLAIN_BYTE = /[\w@.,:/=+-]/;

/**
 * An argument as a word of systemd's `ExecStart=`. The installer of k3s copies its arguments into the k3s
 * unit, where systemd would split them and replace `%` and `$` in them. The word needs no quotes.
 *
 * @throws when the argument is empty or contains a null byte
 */
export function unitWord(argument: string): string {
  if (argument === '' || argument.includes('\0')) {
    throw new Error('An argument of k3s is empty or contains a null byte.');
  }
  return Array.from(Buffer.from(argument), escaped).join('');
}

function escaped(byte: number): string {
  const character = String.fromCharCode(byte);
  if (PLAIN_BYTE.test(character)) return character;
  // systemd replaces these after it has resolved escapes.
  if (character === '%' || character === '$') return character + character;
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}
