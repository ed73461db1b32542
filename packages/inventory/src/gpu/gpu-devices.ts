import type { GpuConfig, GpuDeviceConfig } from '@gateway/platform';
import { type GpuAttributes, gpusOfFlavor } from './flavor-gpus.ts';
import { gpuTypeKey } from './gpu-type-key.ts';
import { COMPANIONS, DEVICES, NVIDIA, VENDORS } from './known-devices.ts';
import { isFirstFunction, parseProviderName } from './pci-address.ts';
import { isGpuClass, pciIdOf } from './resource-classes.ts';

/** A kind of GPU, with the name of its resource class. */
export interface GpuDevice {
  device_name: string;
  /** Null if unknown. */
  vendor: string | null;
}

/** A GPU with the ids of its PCI device, in lower-case hexadecimal; null for another device. */
interface IdentifiedGpu extends GpuDevice {
  vendor_id: string | null;
  device_id: string | null;
}

type Devices = GpuConfig['devices'];

/**
 * The GPU of a resource class; null for the class of another device, such as the audio function of a card,
 * and for a device that neither the gateway nor the configuration contains.
 *
 * @param devices the configured devices, which override those that the gateway knows
 * @param providerName of the class's resource provider. If it ends with a PCI address, an unknown device
 *   counts only as the first function of its card: the others are audio, USB and serial ports.
 */
export function gpuDeviceOf(
  resourceClass: string,
  devices: Devices = [],
  providerName = '',
): IdentifiedGpu | null {
  const pci = pciIdOf(resourceClass);
  if (pci !== null) {
    const { vendor, device } = pci;
    const id = `${vendor}:${device}`;
    const configured = devices.find((other) => idOf(other) === id);
    if (configured?.isAudio ?? COMPANIONS.has(id)) return null;
    const { pciAddress } = parseProviderName(providerName);
    const mayBeUnknown = vendor === NVIDIA && (pciAddress === null || isFirstFunction(pciAddress));
    const name = configured?.name ?? DEVICES[id] ?? (mayBeUnknown ? id.toLowerCase() : null);
    if (name === null) return null;
    return {
      device_name: name,
      vendor: VENDORS[vendor] ?? null,
      vendor_id: vendor.toLowerCase(),
      device_id: device.toLowerCase(),
    };
  }
  if (!isGpuClass(resourceClass)) return null;
  const name = resourceClass.replace(/^CUSTOM_(?:GPU_)?/, '').replaceAll('_', ' ');
  return { device_name: name, vendor: vendorNamed(name), vendor_id: null, device_id: null };
}

function idOf({ vendorId, deviceId }: GpuDeviceConfig): string {
  return `${vendorId}:${deviceId}`.toUpperCase();
}

/**
 * The GPU that an alias of a flavor names. An id is null if the alias names no known device, or several with
 * different ids.
 */
export function gpuOfAlias(alias: string): Omit<IdentifiedGpu, 'vendor'> {
  const name = gpuTypeNamed(alias);
  const ids = Object.keys(DEVICES).filter((id) => DEVICES[id] === name);
  const [vendors, devices] = [0, 1].map(
    (part) => new Set(ids.map((id) => id.toLowerCase().split(':')[part])),
  );
  const only = (values = new Set<string | undefined>()) =>
    (values.size === 1 ? [...values][0] : null) ?? null;
  return { device_name: name, vendor_id: only(vendors), device_id: only(devices) };
}

/** The names of the passthrough aliases in a flavor, without those of audio functions. */
export function gpuAliasesOf(flavor: GpuAttributes): string[] {
  return gpusOfFlavor(flavor).flatMap(({ kind, name }) => (kind === 'alias' ? [name] : []));
}

/** The vendor in the name of a class, or of a device of that class. */
function vendorNamed(name: string): string | null {
  const named = Object.values(VENDORS).find((vendor) => name.startsWith(`${vendor.toUpperCase()} `));
  const id = Object.keys(DEVICES).find((key) => ` ${name} `.includes(` ${DEVICES[key]?.toUpperCase()} `));
  return named ?? VENDORS[id?.slice(0, 4) ?? ''] ?? null;
}

/** A number of GPUs of one type. */
interface GpuCount {
  type: string;
  count: number;
}

/** GPUs by the key of their type (`gpuTypeKey`). */
export type GpuCounts = Record<string, GpuCount>;

/**
 * The GPUs of a flavor by type. The type comes from the device of its aliases, from its resource
 * classes, or from its name.
 */
export function gpuTypesOf(flavor: GpuAttributes, devices: Devices = []): GpuCounts {
  const counts: GpuCounts = {};
  for (const { kind, name, count } of gpusOfFlavor(flavor)) {
    if (count <= 0) continue;
    const device = kind === 'class' ? gpuDeviceOf(name, devices)?.device_name : undefined;
    addGpus(counts, { type: device ?? gpuTypeNamed(name, devices), count });
  }
  return counts;
}

/** Whether the flavor has GPUs of NVIDIA. A GPU whose vendor is unknown counts as one. */
export function hasNvidiaGpus(flavor: GpuAttributes, devices: Devices = []): boolean {
  return Object.entries(gpuTypesOf(flavor, devices)).some(([key, { type }]) => {
    const configured = devices.find(({ name }) => gpuTypeKey(name) === key);
    if (configured !== undefined) return configured.vendorId.toUpperCase() === NVIDIA;
    return (vendorNamed(type.toUpperCase()) ?? VENDORS[NVIDIA]) === VENDORS[NVIDIA];
  });
}

/** Of each type the larger count. */
export function largerGpus(one: GpuCounts, other: GpuCounts): GpuCounts {
  const larger = { ...one };
  for (const [key, gpu] of Object.entries(other)) {
    if (gpu.count > (larger[key]?.count ?? 0)) larger[key] = gpu;
  }
  return larger;
}

/** Adds GPUs to the counts. */
export function addGpus(counts: GpuCounts, { type, count }: GpuCount): void {
  const key = gpuTypeKey(type);
  counts[key] = { type: counts[key]?.type ?? type, count: (counts[key]?.count ?? 0) + count };
}

/** The device with this alias or name; the name itself if there is none. */
export function gpuTypeNamed(name: string, devices: Devices = []): string {
  const key = gpuTypeKey(name);
  const isNamed = (other: string) => gpuTypeKey(other) === key;
  const configured = devices.find((device) => !device.isAudio && device.aliases.some(isNamed));
  return configured?.name ?? Object.values(DEVICES).find(isNamed) ?? name;
}
