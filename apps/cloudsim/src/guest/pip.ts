/** A simulated `pip install` without dependencies. */
interface PipInstall {
  /** `numpy`, `numpy==2.1`, `numpy==2.*` or `numpy @ https://…`; other specifiers are ignored. */
  requirements: string[];
  /** `numpy==2.1` */
  constraints: string[];
  /** The latest versions in the package index, by package name. All other packages have version 1.0. */
  index: Readonly<Record<string, string>>;
}

/**
 * The installed packages, as `numpy==2.1`, sorted.
 * @throws when a requirement and a constraint exclude each other
 */
export function pipInstall({ requirements, constraints, index }: PipInstall): string[] {
  const required = new Map(constraints.map(parse).map(({ name, version }) => [nameKey(name), version]));
  const latest = new Map(Object.entries(index).map(([name, version]) => [nameKey(name), version]));
  const installed = new Map<string, string>();
  for (const requirement of requirements) {
    const { name, version } = parse(requirement);
    const constraint = required.get(nameKey(name));
    if (constraint !== undefined && !matches(constraint, version)) {
      throw new Error(
        `Cannot install ${name}==${version} because these package versions have conflicting dependencies.`,
      );
    }
    const pinned = version?.replace(/\.\*$/, '.0');
    installed.set(nameKey(name), `${name}==${constraint ?? pinned ?? latest.get(nameKey(name)) ?? '1.0'}`);
  }
  return [...installed.values()].sort();
}

function parse(text: string): { name: string; version: string | undefined } {
  const [, name = text, version] = /^([A-Za-z0-9._-]+)(?:\s*==\s*([A-Za-z0-9.!+_*-]+))?/.exec(text) ?? [];
  return { name, version };
}

function matches(version: string, required: string | undefined): boolean {
  if (required === undefined) return true;
  return required.endsWith('.*') ? `${version}.`.startsWith(required.slice(0, -1)) : version === required;
}

/** Package indexes ignore case and the kind of separators. */
function nameKey(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}
