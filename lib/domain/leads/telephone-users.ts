/** A user of a phone number: a person, or the address in a row, whose person may be another or not known yet. */
export type TelephoneUser = { person_id: string | null; name: string }

/** The only user of a number; null if it has several, as a switchboard, or none. An address stands for the person who has it. */
export function onlyUser(users: readonly TelephoneUser[]): TelephoneUser | null {
  const personOf = new Map(
    users.flatMap(({ name, person_id }) => (person_id ? [[name, person_id] as const] : [])),
  )
  const each = new Map(users.map((user) => [personOf.get(user.name) ?? user.name, user]))
  const [only] = each.values()
  return only && each.size === 1 ? { ...only, person_id: personOf.get(only.name) ?? null } : null
}
