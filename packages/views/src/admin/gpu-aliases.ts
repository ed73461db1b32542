import type { GpuConfig } from '@gateway/config';

export interface GpuAlias {
  alias: string;
  device_name: string;
  vendor_id: string;
  device_id: string;
}

/** The aliases of the configured devices in flavors, by device name. */
export function listGpuAliases(devices: GpuConfig['devices']): GpuAlias[] {
  return devices
    .filter(({ isAudio }) => !isAudio)
    .flatMap(({ aliases, name, vendorId, deviceId }) =>
      aliases.map((alias) => ({
        alias,
        device_name: name,
        vendor_id: vendorId.toLowerCase(),
        device_id: deviceId.toLowerCase(),
      })),
    )
    .sort((a, b) => (a.alias < b.alias ? -1 : 1));
}
