/** `address`: guesses at one account are counted by it. `network`: guesses at all accounts are counted by it. */
export type NetworkPlace = { address: string; network: string }

/**
 * Maps a network address to its holder. In IPv6 a customer has a whole /64, often a /48, so single addresses are not counted
 * there. All invalid addresses count as one place.
 */
export function networkPlace(text: string): NetworkPlace {
  const [unzoned = ''] = text
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .split('%', 1)
  const plain = unzoned.slice(0, 45)
  const v4 = /^(?:::ffff:)?((?:\d{1,3}\.){3}\d{1,3})(?::\d{1,5})?$/i.exec(plain)?.[1]
  if (v4) return { address: v4, network: v4 }
  const groups = parseGroups(plain)
  if (!groups) return { address: 'unknown', network: 'unknown' }
  return { address: `${groups.slice(0, 4).join(':')}::/64`, network: `${groups.slice(0, 3).join(':')}::/48` }
}

/** An address without its last part, enough to tell home from abroad without identifying a household. Null: not an address. */
export function networkPlaceLabel(text: string | null): string | null {
  const { network } = networkPlace(text ?? '')
  if (network === 'unknown') return null
  return network.includes(':') ? network : `${network.split('.').slice(0, 3).join('.')}.0/24`
}

/** The eight groups of an IPv6 address, without leading zeros. An IPv4 suffix in place of the last two is cut anyway. */
function parseGroups(text: string): string[] | null {
  if (!/^[0-9a-f:.]+$/i.test(text) || !text.includes(':')) return null
  const [head = '', tail, ...more] = text.split('::')
  if (more.length > 0) return null
  const split = (part: string) => part.split(':').filter(Boolean)
  const [before, after] = [split(head), split(tail ?? '')]
  const missing = 8 - before.length - after.length
  if (missing < 0 || (tail === undefined && missing > 1)) return null
  const groups = [...before, ...Array<string>(missing).fill('0'), ...after]
  return groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
}
