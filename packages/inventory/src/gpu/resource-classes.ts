import { gpuTypeKey } from './gpu-type-key.ts';
import { COMPANIONS, DEVICES, NVIDIA } from './known-devices.ts';

const PCI_CLASS = /^CUSTOM_PCI_(?<vendor>[0-9A-F]{4})_(?<device>[0-9A-F]{4})$/;

/** The vendor and device id of the class that the compute service gives to a PCI device; else null. */
export function pciIdOf(resourceClass: string): { vendor: string; device: string } | null {
  const { vendor, device } = PCI_CLASS.exec(resourceClass)?.groups ?? {};
  return vendor === undefined || device === undefined ? null : { vendor, device };
}

/** `VGPU`, `CUSTOM_PCI_10DE_20B0`; and as operators name classes `CUSTOM_GPU_A100`, `CUSTOM_TESLA_T4`. */
export function isGpuClass(name: string): boolean {
  const pci = pciIdOf(name);
  if (pci !== null) {
    const id = `${pci.vendor}:${pci.device}`;
    return !COMPANIONS.has(id) && (pci.vendor === NVIDIA || id in DEVICES);
  }
  const [first, ...words] = name.split('_');
  if (first !== 'CUSTOM') return name === 'VGPU' || name === 'PGPU';
  if (namesCompanion(name)) return false;
  return words.some((word) => GPU_WORDS.has(word)) || beginsWithModel(words);
}

const GPU_WORDS = new Set(['GPU', 'VGPU', 'PGPU']);
const BRANDS = new Set(['NVIDIA', 'AMD', 'INTEL', 'TESLA', 'QUADRO', 'GEFORCE', 'INSTINCT', 'RADEON']);
const MODELS = new Set(Object.values(DEVICES).map(gpuTypeKey));
const LONGEST_MODEL = Math.max(...Object.values(DEVICES).map((name) => name.split(' ').length));

function beginsWithModel(words: readonly string[]): boolean {
  const model = words.slice(words.findIndex((word) => !BRANDS.has(word)));
  return model.some(
    (_, index) => index < LONGEST_MODEL && MODELS.has(gpuTypeKey(model.slice(0, index + 1).join(' '))),
  );
}

const COMPANION_WORDS = new Set(['audio', 'hdmi', 'usb', 'ucsi', 'serial', 'switch', 'nvswitch']);

/** Whether a class, or an alias in a flavor, names a function of a card that is no GPU: `a100-audio`. */
export function namesCompanion(name: string): boolean {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  return name.toLowerCase().includes('audio') || words.some((word) => COMPANION_WORDS.has(word));
}
