import Joi from 'joi';
import { choice, flag, id, keyed, list, OPERATOR, packageName, section, sizeGb, text } from './kinds.ts';

const pciId = () =>
  Joi.string()
    .pattern(/^[0-9a-fA-F]{4}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be four hexadecimal digits in quotes' });

export const instancesSettings = section({
  default_network_id: id()
    .description('Default network of an instance; null for the only network of the project.')
    .tag(OPERATOR),
  external_network_id: id()
    .description('Network of floating IPs if no router determines it; null for the first by name.')
    .tag(OPERATOR),
  volume_zone: text()
    .default('same')
    .description(
      'Availability zone of the volumes of an instance that is requested in a zone: "same" for the zone ' +
        'of that name if the block storage service has one, "none" for the service\'s default, or the name ' +
        'of a zone of the block storage service.',
    ),
  boot_volume_size_gb: sizeGb(20).description("Default size of an instance's boot volume."),
  upper_volume_size_gb: sizeGb(50).description('Size of the writable layer of an instance with libraries.'),
  dynamic_share_size_gb: sizeGb(20).description(
    'Size of the share on which libraries are installed for one instance.',
  ),
  gpu_driver_packages: list(packageName()).description(
    'Operating system packages with the GPU driver, which are installed at first boot if the flavor ' +
      'has a GPU and the image has no driver.',
  ),
  disks_are_shared: flag().description(
    'Whether all hosts keep the disks of instances in one storage, such as Ceph (images_type = rbd) ' +
      "or one file system. Each host reports the size of all of it, so that the administrators' " +
      'overview counts it once. Not needed where placement has a provider that shares its disk with the ' +
      'hosts (MISC_SHARES_VIA_AGGREGATE).',
  ),
}).description('Instances, and what is created with them.');

export const fileStorageSettings = section({
  share_proto: choice('NATIVEFS', 'NFS')
    .default('NATIVEFS')
    .description('Protocol of the shares that the gateway creates: NATIVEFS or NFS.')
    .tag(OPERATOR),
  share_type: section({
    nativefs: id().description('For NATIVEFS.'),
    nfs: id().description('For NFS.'),
  }).description("Share type by protocol; null for the service's default."),
  share_network_id: id()
    .description('Share network of shares whose type has share servers; null for none.')
    .tag(OPERATOR),
}).description('Shares that the gateway creates.');

export const gpuSettings = section({
  devices: list(
    keyed({
      vendor_id: pciId().required().description('Hexadecimal, in quotes.'),
      device_id: pciId().required().description('Hexadecimal, in quotes.'),
      name: text().required().description('Type of the GPU in inventories and quotas.'),
      is_audio: flag().description(
        'Marks the audio or another function of a card that is no GPU, which is not counted.',
      ),
      aliases: list(text()).description(
        "Aliases of the device in the compute service's configuration, for pci_passthrough:alias in flavors.",
      ),
    }),
  )
    .description(
      'PCI devices in addition to those that the gateway knows. The resource class of a device is ' +
        'CUSTOM_PCI_<vendor_id>_<device_id>. An unknown device counts as a GPU only if NVIDIA makes it ' +
        '(10de), and if the address in the name of its resource provider, if there is one, is that of ' +
        'function 0 of its card.',
    )
    .example([{ vendor_id: '10de', device_id: '2331', name: 'H100', is_audio: false, aliases: ['h100'] }]),
}).description('Graphics processors.');
