/** The attributes of a flavor that show whether it has GPUs. */
export interface GpuAttributes {
  name: string;
  extra_specs: Record<string, string>;
}

/** `gpu.a100`, `gpu_v100x2`: the model, followed by the count if the name has one. */
const GPU_NAME = /(?:^|[._-])gpu[._](?<model>[\s\S]*)$/i;
/** A count has at most two digits, because models also end in digits: `gpu.rtx6000`. */
const GPU_COUNT = /[a-z0-9][._-]?(?:x(\d{1,2}))?$/i;
/** Also matches resources in a named request group: `resources_accel:VGPU`. */
const GPU_RESOURCE = /^resources[\w-]*:(\w+)$/;

/** The number of GPUs of a flavor, from the passthrough alias, else resource classes, else a category, else its name. */
export function countGpus({ name, extra_specs: specs }: GpuAttributes): number {
  return (
    countAliases(specs['pci_passthrough:alias']) ||
    countResources(specs) ||
    (hasGpuCategory(specs) ? 1 : 0) ||
    countByName(name)
  );
}

/** `a100:2,t4` is 3: a missing or invalid count means 1. The audio functions of a card do not count. */
function countAliases(aliases = ''): number {
  return aliases
    .split(',')
    .map((alias) => alias.split(':').map((part) => part.trim()))
    .filter(([name = '']) => name !== '' && !name.toLowerCase().includes('audio'))
    .reduce((sum, [, count = '1']) => sum + (/^\d+$/.test(count) ? Number(count) : 1), 0);
}

function countResources(specs: Record<string, string>): number {
  return Object.entries(specs)
    .filter(([key]) => isGpuClass(GPU_RESOURCE.exec(key)?.[1] ?? ''))
    .reduce((sum, [, count]) => sum + (Number.parseInt(count, 10) || 0), 0);
}

/** `VGPU`, `PGPU`, `CUSTOM_GPU_A100`, `CUSTOM_NVIDIA_VGPU`. */
export function isGpuClass(name: string): boolean {
  const [first, ...others] = name.split('_');
  if (first === 'CUSTOM') return others.some((part) => part === 'GPU' || part === 'VGPU');
  return name === 'VGPU' || name === 'PGPU';
}

function hasGpuCategory(specs: Record<string, string>): boolean {
  return Object.entries(specs).some(
    ([key, value]) => key.endsWith(':category') && value.toLowerCase().includes('gpu'),
  );
}

function countByName(name: string): number {
  // Only the part after the last character that GPU names do not contain.
  const tail = name.split(/(?=[^a-z0-9._-])/i).at(-1) ?? '';
  const count = GPU_COUNT.exec(GPU_NAME.exec(tail)?.groups?.model ?? '');
  return count === null ? 0 : Number(count[1] ?? 1);
}
