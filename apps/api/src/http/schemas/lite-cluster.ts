export const liteClusterRows = { filters: { instance_id: ['server_vm_id', 'agent_vm_ids'] } } as const;
