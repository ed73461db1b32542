import { gpuAliasesOf, gpuOfAlias } from '@gateway/inventory';
import type { BoundClient } from '@gateway/openstack';
import type { GpuConfig } from '@gateway/platform';
import type { GpuAlias } from './gpu-alias-shape.ts';

/** The names by which flavors ask for GPUs: those of the configured devices, or else those in the flavors. */
export async function listGpuAliases(
  { compute }: BoundClient,
  devices: GpuConfig['devices'],
): Promise<GpuAlias[]> {
  const configured = configuredAliases(devices);
  const aliases = configured.length > 0 ? configured : await aliasesInFlavors(compute);
  return aliases.sort((a, b) => (a.alias < b.alias ? -1 : 1));
}

function configuredAliases(devices: GpuConfig['devices']): GpuAlias[] {
  return devices
    .filter(({ isAudio }) => !isAudio)
    .flatMap(({ aliases, name, vendorId, deviceId }) =>
      aliases.map((alias) => ({
        alias,
        device_name: name,
        vendor_id: vendorId.toLowerCase(),
        device_id: deviceId.toLowerCase(),
      })),
    );
}

/** Also those of private flavors. */
async function aliasesInFlavors({ flavors }: BoundClient['compute']): Promise<GpuAlias[]> {
  const all = await flavors.list({ is_public: 'None' });
  return [...new Set(all.flatMap(gpuAliasesOf))].map((alias) => ({ alias, ...gpuOfAlias(alias) }));
}
