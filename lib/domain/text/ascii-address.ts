/** Punycode by the WHATWG URL parser, which browsers have as well; null for what it refuses. */
export function asciiDomain(domain: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole ASCII range is meant
  if (/^[\x00-\x7f]*$/.test(domain)) return domain.toLowerCase()
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : null
}

/** An address with its domain as rows have it; where that is written in ASCII, or is no domain, as it stands. */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const written = address.slice(at + 1)
  const domain = /^[\p{L}\p{N}\p{M}.-]+$/u.test(written) ? asciiDomain(written) : null
  if (at < 1 || domain === null || domain === written.toLowerCase()) return address
  return `${address.slice(0, at)}@${domain}`
}
