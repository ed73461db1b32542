export interface Login {
  username: string;
  password: string;
}

/** The users of the simulated cloud. */
export const simulatedLogins: Record<'demo' | 'admin', Login> = {
  demo: { username: 'demo', password: 'demo-secret' },
  admin: { username: 'admin', password: 'admin-secret' },
};

/** A block to paste into a shell: logs in, creates an instance and shows its progress. */
export function tryItBlock(url: string, { username, password }: Login): string {
  return `
api=${url}/api json='Content-Type: application/json'
first() { tr ',{' '\\n\\n' | sed -n "s/^\\"$1\\":\\"\\([^\\"]*\\).*/\\1/p" | head -n 1; }
login=$(curl -s "$api/auth/login" -H "$json" -d '{"username":"${username}","password":"${password}"}')
token="X-Auth-Token: $(echo "$login" | first token)"
project="X-Project-Id: $(echo "$login" | first project_id)"
image=$(curl -s "$api/images" -H "$token" -H "$project" | first id)
flavor=$(curl -s "$api/flavors" -H "$token" -H "$project" | first id)
curl -sN "$api/instances/async" -H "$token" -H "$project" -H "$json" \\
  -d "{\\"name\\":\\"my-first\\",\\"image_id\\":\\"$image\\",\\"flavor_id\\":\\"$flavor\\"}"
`.trim();
}
