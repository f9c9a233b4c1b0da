/** At most so much of the name: an address is read, and cut where it is long. */
const LONGEST = 40

/** What stands in addresses for a workspace: its name, as far as an address can say it, and what no other one has. */
export function workspaceSlug(name: string, id: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _.-]/g, '')
    .replaceAll(/[ _.-]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-|-$/g, '')
  return `${words || 'workspace'}-${id.slice(-8)}`
}
