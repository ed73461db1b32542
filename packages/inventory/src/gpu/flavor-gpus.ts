import { isGpuClass, namesCompanion } from './resource-classes.ts';

/** The attributes of a flavor that show whether it has GPUs. */
export interface GpuAttributes {
  name: string;
  extra_specs: Record<string, string>;
}

/** A number of GPUs, with their name in the flavor. */
interface FlavorGpus {
  /** The kind of the name: an alias, a resource class or a model. */
  kind: 'alias' | 'class' | 'model';
  name: string;
  count: number;
}

/** `gpu.a100`, `gpu_v100x2`: the model, followed by the count if the name has one. */
const GPU_NAME = /(?:^|[._-])gpu[._](?<model>[\s\S]*)$/i;
/** A count has at most two digits, because models also end in digits: `gpu.rtx6000`. */
const GPU_COUNT = /[a-z0-9](?<suffix>[._-]?(?:x(?<count>\d{1,2}))?)$/i;
/** Also matches resources in a named request group: `resources_accel:VGPU`. */
const GPU_RESOURCE = /^resources[\w-]*:(\w+)$/;
/** A flavor whose category alone shows that it has a GPU. */
const UNNAMED = 'GPU';

/**
 * The number of GPUs of a flavor, from the passthrough alias, else resource classes, else a
 * category, else its name.
 */
export function countGpus(flavor: GpuAttributes): number {
  return sum(gpusOfFlavor(flavor));
}

/** The GPUs of a flavor with their names in the flavor; empty for a flavor without GPUs. */
export function gpusOfFlavor({ name, extra_specs: specs }: GpuAttributes): FlavorGpus[] {
  const aliases = readAliases(specs['pci_passthrough:alias']);
  if (sum(aliases) > 0) return aliases;
  const resources = readResources(specs);
  if (sum(resources) > 0) return resources;
  const named = readName(name);
  if (hasGpuCategory(specs)) return [{ ...(named ?? { kind: 'model', name: UNNAMED }), count: 1 }];
  return named === null || named.count === 0 ? [] : [named];
}

function sum(gpus: readonly FlavorGpus[]): number {
  return gpus.reduce((total, { count }) => total + count, 0);
}

/** `a100:2,t4` is 3: a missing or invalid count means 1. `a100-audio` and other companions do not count. */
function readAliases(aliases = ''): FlavorGpus[] {
  return aliases
    .split(',')
    .map((alias) => alias.split(':').map((part) => part.trim()))
    .filter(([name = '']) => name !== '' && !namesCompanion(name))
    .map(([name = '', count = '1']) => ({
      kind: 'alias',
      name,
      count: /^\d+$/.test(count) ? Number(count) : 1,
    }));
}

function readResources(specs: Record<string, string>): FlavorGpus[] {
  return Object.entries(specs).flatMap(([key, count]) => {
    const name = GPU_RESOURCE.exec(key)?.[1] ?? '';
    return isGpuClass(name) ? [{ kind: 'class' as const, name, count: Number.parseInt(count, 10) || 0 }] : [];
  });
}

function hasGpuCategory(specs: Record<string, string>): boolean {
  return Object.entries(specs).some(
    ([key, value]) => key.endsWith(':category') && value.toLowerCase().includes('gpu'),
  );
}

function readName(name: string): FlavorGpus | null {
  // Only the part after the last character that GPU names do not contain.
  const tail = name.split(/(?=[^a-z0-9._-])/i).at(-1) ?? '';
  const model = GPU_NAME.exec(tail)?.groups?.model ?? '';
  const found = GPU_COUNT.exec(model)?.groups;
  if (found === undefined) return null;
  const { suffix = '', count = '1' } = found;
  return { kind: 'model', name: model.slice(0, model.length - suffix.length), count: Number(count) };
}
