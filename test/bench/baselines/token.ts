const TOKEN_SECONDS = 3600;

/** The body of a token for a project, with a catalog of these services and their URLs. */
export function tokenBody(projectId: string, services: Readonly<Record<string, string>>): string {
  return JSON.stringify({
    token: {
      methods: ['password'],
      user: { id: 'benchuser', name: 'bench', domain: { id: 'default', name: 'Default' } },
      project: { id: projectId, name: 'bench', domain: { id: 'default', name: 'Default' } },
      roles: [{ id: 'member', name: 'member' }],
      issued_at: new Date().toISOString(),
      expires_at: new Date(Date.now() + TOKEN_SECONDS * 1000).toISOString(),
      catalog: Object.entries(services).map(([type, url]) => ({
        type,
        name: type,
        id: type,
        endpoints: [{ id: type, interface: 'public', region: 'RegionOne', region_id: 'RegionOne', url }],
      })),
    },
  });
}
