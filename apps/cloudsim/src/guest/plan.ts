import type { FirstBootData } from './first-boot-data.ts';

export const FIRST_BOOT = '/etc/gateway/first-boot';

const NODE_LABEL = /^--node-label=(?<key>[^=]+)=(?<value>.*)$/;

/** The plan that the scripts read: a name and a value per line. A name can occur on several lines. */
export class Plan {
  readonly #values = new Map<string, string[]>();

  constructor(text: string) {
    for (const line of text.split('\n')) {
      const at = line.indexOf(' ');
      if (at < 1) continue;
      const name = line.slice(0, at);
      this.#values.set(name, [...this.all(name), line.slice(at + 1).trim()]);
    }
  }

  all(name: string): string[] {
    return this.#values.get(name) ?? [];
  }

  /** The labels of the node in the arguments of k3s. */
  nodeLabels(): Record<string, string> {
    const found = this.all('argument').map((argument) => NODE_LABEL.exec(argument)?.groups);
    return Object.fromEntries(found.flatMap((label) => (label ? [[label.key, label.value]] : [])));
  }

  get(name: string): string | undefined {
    return this.all(name)[0];
  }
}

/** Null for data without a plan, or without scripts that read it. */
export function planIn({ files, runs }: FirstBootData): Plan | null {
  const text = files.get(`${FIRST_BOOT}/plan`);
  return text === undefined || !runs ? null : new Plan(text);
}
