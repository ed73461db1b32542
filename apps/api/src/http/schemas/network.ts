export const networkRows = { filters: { subnet_id: ['subnets'] } } as const;
