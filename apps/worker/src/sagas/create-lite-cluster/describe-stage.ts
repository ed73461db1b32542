import type { ControlNodeProgress, PluginKey } from '@gateway/lite';

/** The stages that the scripts of this version report, in their order. */
const STAGES: Record<string, string> = {
  start: 'The control node has started.',
  clock: 'The control node waits for the right time.',
  gpu: 'The control node prepares its GPUs.',
  tools: 'The control node prepares its programs.',
  download: 'The control node downloads the installer of k3s.',
  install: 'The control node installs k3s.',
  k3s: 'The control node starts k3s.',
  report: 'The control node collects its report.',
};

/** What the control node does, in words. A report is a tenant's: only known plugins are named. */
export function describeStage({ stage, plugin }: ControlNodeProgress, plugins: readonly PluginKey[]): string {
  const key = plugins.find((one) => one === plugin);
  if (stage === 'plugin' && key !== undefined) return `The control node installs the plugin ${key}.`;
  if (stage === 'wait' && key !== undefined) return `The control node waits for the plugin ${key}.`;
  return STAGES[stage] ?? 'The control node is being installed.';
}
