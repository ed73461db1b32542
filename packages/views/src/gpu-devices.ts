import { isGpuClass } from './gpu.ts';

/** A kind of GPU, as its resource class names it. */
export interface GpuDevice {
  device_name: string;
  /** Null if unknown. */
  vendor: string | null;
}

const VENDORS: Record<string, string> = { '1002': 'AMD', '10DE': 'NVIDIA', '8086': 'Intel' };

/** Names of devices by vendor and device id. */
const DEVICES: Record<string, string> = {
  '1002:740C': 'MI250X',
  '1002:740F': 'MI210',
  '1002:74A1': 'MI300X',
  '10DE:1B06': 'GTX 1080 Ti',
  '10DE:1DB4': 'V100',
  '10DE:1DB5': 'V100',
  '10DE:1DB6': 'V100',
  '10DE:1E04': 'RTX 2080 Ti',
  '10DE:1EB8': 'T4',
  '10DE:20B0': 'A100',
  '10DE:20B2': 'A100',
  '10DE:20B5': 'A100',
  '10DE:20F1': 'A100',
  '10DE:2204': 'RTX 3090',
  '10DE:2230': 'RTX A6000',
  '10DE:2235': 'A40',
  '10DE:2236': 'A10',
  '10DE:2330': 'H100',
  '10DE:2331': 'H100',
  '10DE:2335': 'H200',
  '10DE:2684': 'RTX 4090',
  '10DE:26B5': 'L40',
  '10DE:26B9': 'L40S',
  '10DE:27B8': 'L4',
  '8086:0BD5': 'Max 1550',
  '8086:56C0': 'Flex 170',
};

/** The audio functions of graphics cards, which are devices of their own. */
const AUDIO_DEVICES = new Set(['1002:AB28', '1002:AB38', '10DE:10EF', '10DE:10F7', '10DE:1AEF', '10DE:22BA']);

const PCI_CLASS = /^CUSTOM_PCI_(?<vendor>[0-9A-F]{4})_(?<device>[0-9A-F]{4})$/;

/** The GPU of a resource class; null for the class of something else, also of the audio function of a card. */
export function gpuDeviceOf(resourceClass: string): GpuDevice | null {
  const { vendor, device } = PCI_CLASS.exec(resourceClass)?.groups ?? {};
  if (vendor !== undefined) {
    const id = `${vendor}:${device}`;
    if (AUDIO_DEVICES.has(id)) return null;
    return { device_name: DEVICES[id] ?? id.toLowerCase(), vendor: VENDORS[vendor] ?? null };
  }
  if (!isGpuClass(resourceClass)) return null;
  const name = resourceClass.replace(/^CUSTOM_(?:GPU_)?/, '').replaceAll('_', ' ');
  return { device_name: name, vendor: vendorNamed(name) };
}

/** The vendor in the name of a class, or of a device of that name. */
function vendorNamed(name: string): string | null {
  const named = Object.values(VENDORS).find((vendor) => name.startsWith(`${vendor.toUpperCase()} `));
  const id = Object.keys(DEVICES).find((key) => DEVICES[key]?.toUpperCase() === name);
  return named ?? VENDORS[id?.slice(0, 4) ?? ''] ?? null;
}
