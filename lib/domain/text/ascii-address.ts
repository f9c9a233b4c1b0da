/** Converts a domain to punycode by the WHATWG URL parser, which browsers have too; null if that refuses it. */
export function asciiDomain(domain: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole ASCII range is meant
  if (/^[\x00-\x7f]*$/.test(domain)) return domain.toLowerCase()
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : null
}

/** An address with its domain in punycode; unchanged if the domain is ASCII already, or invalid. */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const written = address.slice(at + 1)
  const domain = /^[\p{L}\p{N}\p{M}.-]+$/u.test(written) ? asciiDomain(written) : null
  if (at < 1 || domain === null || domain === written.toLowerCase()) return address
  return `${address.slice(0, at)}@${domain}`
}
