/** The kind of resource that a component describes: `security_group_rule` for `CreatedSecurityGroupRule`. */
export function kindOf(component: string): string {
  return component
    .replace(
      /^(?:(?:Accepted|Admin|All|Attached|Created?|Extended|New|Restored|Started|Updated?)(?=[A-Z]))+/,
      '',
    )
    .replace(/Detail$/, '')
    .replace(/[A-Z]/g, (letter, index) => (index === 0 ? '' : '_') + letter.toLowerCase());
}
