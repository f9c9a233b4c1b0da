/** Somebody who has a telephone number: a person, or the address that a row says, whose person may be another or nobody yet. */
export type TelephoneUser = { person_id: string | null; name: string }

/**
 * The only one who has a number; null where several do, as of a switchboard, or nobody does. An address stands for the person
 * who has it.
 */
export function onlyUser(users: readonly TelephoneUser[]): TelephoneUser | null {
  const personOf = new Map(
    users.flatMap(({ name, person_id }) => (person_id ? [[name, person_id] as const] : [])),
  )
  const each = new Map(users.map((user) => [personOf.get(user.name) ?? user.name, user]))
  const [only] = each.values()
  return only && each.size === 1 ? { ...only, person_id: personOf.get(only.name) ?? null } : null
}
