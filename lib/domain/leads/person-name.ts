type Reached = { email: string | null; profile: string | null; phone?: string | null }
type Named = Reached & { first_name: string | null; last_name: string | null }

/** Without the network in front of it. */
const profileWords = (profile: string) => profile.slice(profile.indexOf(':') + 1)

/** Whoever has no name is called by what they are known by. */
export const personName = ({ first_name, last_name, ...reached }: Named): string =>
  [first_name, last_name].filter(Boolean).join(' ') || personAddress(reached) || 'Without a name'

export type Who = {
  email: string | null
  profile: string | null
  first_name: string | null
  last_name: string | null
}

/** A row with what its person is called in the place of what that is made from. */
export const withName = <Row extends Who>({ email, profile, first_name, last_name, ...rest }: Row) => ({
  ...rest,
  name: personName({ email, profile, first_name, last_name }),
})

/** Where they are reached: their address, without one their profile, and without either their telephone number. */
export const personAddress = ({ email, profile, phone }: Reached): string =>
  email ?? (profile ? profileWords(profile) : (phone ?? ''))
