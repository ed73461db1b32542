type Value = string | number | boolean | null;

/**
 * The text of a configuration in the format of git, which Go's gcfg reads. Omits settings that are null or
 * empty, and sections without settings.
 *
 * @param sections settings by section and name; the names are trusted, the values may be any line of text
 */
export function iniText(sections: Record<string, Record<string, Value>>): string {
  return Object.entries(sections)
    .map(([section, settings]) => [`[${section}]`, ...lines(settings)])
    .filter((section) => section.length > 1)
    .map((section) => `${section.join('\n')}\n`)
    .join('\n');
}

function lines(settings: Record<string, Value>): string[] {
  return Object.entries(settings)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name} = ${typeof value === 'string' ? quoted(value) : value}`);
}

/** Inside quotes only a quote and a backslash are special. */
function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}
