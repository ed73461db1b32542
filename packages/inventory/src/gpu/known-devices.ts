/** Devices of this vendor are GPUs, except for the companions. Others also make network cards and disks. */
export const NVIDIA = '10DE';

export const VENDORS: Record<string, string> = { '1002': 'AMD', [NVIDIA]: 'NVIDIA', '8086': 'Intel' };

/** Names of devices by vendor and device id. */
export const DEVICES: Record<string, string> = {
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

/**
 * Devices of NVIDIA's cards and boards that are no GPUs, by device id. Those of other vendors need no list,
 * because an unknown device of theirs is no GPU. From pci.ids of 2026-08; the switch of the V100 from
 * NVIDIA's Fabric Manager.
 */
const COMPANIONS_BY_KIND = {
  audio: `0BE2 0BE3 0BE4 0BE5 0BE9 0BEA 0BEB 0BEE 0E08 0E09 0E0A 0E0B 0E0C 0E0F 0E1A 0E1B 0FB0 0FB8 0FB9 0FBA
    0FBB 0FBC 10EF 10F0 10F1 10F7 10F8 10F9 1AEB 1AEF 228B 228E 2291 22BA 22BB 22BC 22BD 22BE 22E8 22E9 22EB
    22EC 2F80`,
  usb: '1AD6 1AD8 1ADA 1AEC',
  serial: '1AD7 1AD9 1ADB 1AED',
  nvSwitch: '1AC2 1AF1 22A3',
  bridge: '05B1 05B8 05BE 22D1',
};

export const COMPANIONS = new Set(
  Object.values(COMPANIONS_BY_KIND)
    .flatMap((ids) => ids.split(/\s+/))
    .map((id) => `${NVIDIA}:${id}`),
);
