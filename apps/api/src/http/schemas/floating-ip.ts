export const floatingIpRows = {
  filters: { network_id: ['floating_network_id'], ip_address: ['floating_ip_address', 'fixed_ip_address'] },
} as const;
