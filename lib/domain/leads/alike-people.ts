/** Google delivers mail for either domain to the same mailbox. */
const GOOGLE = ['gmail.com', 'googlemail.com']

/** Addresses that may belong to one mailbox: at one of `domains`, with the local part `name` once its tag (and its dots) are removed. */
export type AlikeAddresses = { name: string; domains: readonly string[]; without_dots: boolean; stem: string }

/**
 * Which addresses may be another spelling of this one: `ada+news@acme.com` of `ada@acme.com`, and at Google also `a.da@gmail.com` of
 * `ada@gmail.com`. All of them begin with `stem`. They are only suggested: people are identified by the address they gave, and
 * only users merge them.
 */
export function alikeAddresses(email: string): AlikeAddresses | null {
  const at = email.lastIndexOf('@')
  const [local = ''] = email.slice(0, Math.max(at, 0)).split('+', 1)
  const domain = email.slice(at + 1)
  const without_dots = GOOGLE.includes(domain)
  const name = without_dots ? local.replaceAll('.', '') : local
  if (name === '') return null
  const stem = without_dots ? name.slice(0, 1) : name
  return { name, domains: without_dots ? GOOGLE : [domain], without_dots, stem }
}

/** Other spellings under which earlier versions may have stored this profile, `network:address`. */
export function formerProfiles(profile: string): string[] {
  const network = profile.slice(0, profile.indexOf(':') + 1)
  const address = profile.slice(network.length)
  const name = address.slice(address.lastIndexOf('/') + 1)
  const place = address.slice(0, address.length - name.length)
  const encoded = encodeURIComponent(name)
  return [...new Set([name, encoded.toLowerCase()])].flatMap((each) => [
    `${network}${place}${each}`,
    `${network}in/${each}`,
    `${network}${each}`,
  ])
}
