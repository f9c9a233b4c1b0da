import { BlockList, isIP, isIPv4 } from 'node:net'

const WIDTH = { 4: 32, 6: 128 } as const

/** Parses an address, or a network in CIDR notation; null if it is neither. */
function readNetwork(text: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | null {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if ((version !== 4 && version !== 6) || more.length > 0 || address.includes('%')) return null
  const width = WIDTH[version]
  if (bits !== undefined && (bits.length > 3 || String(Number(bits)) !== bits)) return null
  const count = bits === undefined ? width : Number(bits)
  return count >= 0 && count <= width
    ? { address, bits: count, family: version === 4 ? 'ipv4' : 'ipv6' }
    : null
}

export const isNetwork = (text: string): boolean => readNetwork(text) !== null

/** The bare address, without a port, and without the prefix of an IPv4 address on an IPv6 socket. */
function plain(named: string): string {
  const parts = named.split(':')
  const address = named.startsWith('[')
    ? named.slice(1).split(']', 1)[0]
    : parts.length === 2
      ? parts[0]
      : named
  const mapped = address?.toLowerCase().startsWith('::ffff:') ? address.slice('::ffff:'.length) : ''
  return isIPv4(mapped) ? mapped : (address ?? '')
}

/** Whether an address is in one of the networks. Invalid networks contain nothing, and an invalid address is in none. */
export function networksContain(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const text of networks) {
    const network = readNetwork(text)
    if (network) list.addSubnet(network.address, network.bits, network.family)
  }
  return (address) => {
    const asked = plain(address)
    const version = isIP(asked)
    return version !== 0 && list.check(asked, version === 6 ? 'ipv6' : 'ipv4')
  }
}
