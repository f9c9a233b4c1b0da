/** The longest part of the name: an address is read by people. */
const LONGEST = 40

/** The workspace's part of a URL: its name, as far as a URL can hold it, and a unique suffix. */
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
