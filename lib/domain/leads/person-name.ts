type Reached = { email: string | null; profile: string | null; phone?: string | null }
type Named = Reached & { first_name: string | null; last_name: string | null }

/** The profile without its network prefix. */
const profileWords = (profile: string) => profile.slice(profile.indexOf(':') + 1)

/** A person without a name is called by their address, profile or phone number. */
export const personName = ({ first_name, last_name, ...reached }: Named): string =>
  [first_name, last_name].filter(Boolean).join(' ') || personAddress(reached) || 'Without a name'

export type Who = {
  email: string | null
  profile: string | null
  first_name: string | null
  last_name: string | null
}

/** Replaces the columns of a person's name by the display name. */
export const withName = <Row extends Who>({ email, profile, first_name, last_name, ...rest }: Row) => ({
  ...rest,
  name: personName({ email, profile, first_name, last_name }),
})

/** How a person is reached: by address, otherwise by profile, otherwise by phone number. */
export const personAddress = ({ email, profile, phone }: Reached): string =>
  email ?? (profile ? profileWords(profile) : (phone ?? ''))
