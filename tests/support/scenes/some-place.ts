/** A network address that no other test comes from: each place has a rate of its own. */
export const somePlace = () =>
  `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`
