type Reached = { email: string | null; profile: string | null; phone?: string | null }
type Named = Reached & { first_name: string | null; last_name: string | null }

/** Without the network in front of it. */
const profileWords = (profile: string) => profile.slice(profile.indexOf(':') + 1)

/** Whoever has no name is called by what they are known by. */
export const personName = ({ first_name, last_name, ...reached }: Named): string =>
  [first_name, last_name].filter(Boolean).join(' ') || personAddress(reached) || 'Without a name'

/** Where they are reached: their address, without one their profile, and without either their telephone number. */
export const personAddress = ({ email, profile, phone }: Reached): string =>
  email ?? (profile ? profileWords(profile) : (phone ?? ''))
