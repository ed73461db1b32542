/** The compute service composes the provider's name of a passed through device from its host and address. */
const PCI = /_(?<address>[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])$/i;
/** The libvirt driver composes that of a virtual GPU from the host and libvirt's name of the device. */
const LIBVIRT = /_pci_(?<domain>[0-9a-f]{4,8})_(?<bus>[0-9a-f]{2})_(?<device>[0-9a-f]{2})_(?<fn>[0-7])$/i;

/** A name of a resource provider in its parts. */
interface ProviderName {
  /** The name without the address. */
  host: string;
  /** As `0000:81:00.0`; null if the name does not end with the address of a PCI device. */
  pciAddress: string | null;
}

export function parseProviderName(name: string): ProviderName {
  const pci = PCI.exec(name);
  if (pci !== null) return { host: name.slice(0, pci.index), pciAddress: pci.groups?.address ?? null };
  const libvirt = LIBVIRT.exec(name);
  if (libvirt?.groups === undefined) return { host: name, pciAddress: null };
  const { domain, bus, device, fn } = libvirt.groups;
  return { host: name.slice(0, libvirt.index), pciAddress: `${domain}:${bus}:${device}.${fn}` };
}

/** Whether the address is that of the first function of its device. */
export function isFirstFunction(pciAddress: string): boolean {
  return pciAddress.endsWith('.0');
}
