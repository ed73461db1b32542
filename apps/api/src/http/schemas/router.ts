export const routerRows = {
  filters: { network_id: ['external_gateway_network_id'], subnet_id: ['connected_subnet_ids'] },
} as const;
