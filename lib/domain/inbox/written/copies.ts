export type Copies = { cc: string[]; bcc: string[] }
type Person = { name: string | null; address: string }

/** Keeps each address once, in its most visible field. */
export function eachOnce(to: string, { cc = [], bcc = [] }: Partial<Copies>): Copies {
  const named = new Set([to.toLowerCase()])
  const fresh = (addresses: string[]) =>
    addresses.filter((address) => {
      const isFresh = !named.has(address.toLowerCase())
      named.add(address.toLowerCase())
      return isFresh
    })
  return { cc: fresh(cc), bcc: fresh(bcc) }
}

/** Mail to `ada+sales@x.test` is delivered to `ada@x.test`. */
const withoutTag = (address: string) => address.toLowerCase().replace(/^([^+@]{1,64})\+[^@]{0,64}@/, '$1@')

/**
 * The recipients of a reply to all besides the sender: everybody the message was addressed to except oneself.
 */
export function otherRecipients(
  recipients: Person[],
  { own, to, most }: { own: string[]; to: string; most: number },
): Person[] {
  const mine = new Set(own.map(withoutTag))
  const named = new Set([to.toLowerCase()])
  const others: Person[] = []
  for (const { name, address } of recipients) {
    const one = address.toLowerCase()
    if (named.has(one) || mine.has(withoutTag(one)) || !one.includes('@')) continue
    named.add(one)
    others.push({ name: name || null, address })
  }
  return others.slice(0, most)
}
