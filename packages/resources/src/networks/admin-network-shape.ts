import { integer, type ShapeType, shape, text } from '@gateway/core/shapes';
import { networkFields } from './network-shape.ts';

/** How the cloud carries a network. Null where the service does not show it. */
export const providerFields = {
  /** `flat`, `vlan`, `vxlan`, `geneve` and others. */
  provider_network_type: text('vlan').nullable(),
  provider_physical_network: text('physnet1').nullable(),
  provider_segmentation_id: integer(120).nullable().describe('The id of the VLAN or of the tunnel.'),
};

export const adminNetworkShape = shape('AdminNetwork', {
  ...networkFields,
  ...providerFields,
});

/** A network for administrators. */
export type AdminNetwork = ShapeType<typeof adminNetworkShape>;

export type NetworkProvider = Pick<AdminNetwork, keyof typeof providerFields>;
