type Reached = { email: string | null; profile: string | null }
type Named = Reached & { first_name: string | null; last_name: string | null }

/** Without the network in front of it. */
const profileWords = (profile: string) => profile.slice(profile.indexOf(':') + 1)

/** Whoever has no name is called by what they are known by. */
export const personName = ({ email, profile, first_name, last_name }: Named): string =>
  [first_name, last_name].filter(Boolean).join(' ') ||
  (email ?? (profile ? profileWords(profile) : 'Without a name'))

/** Where they are reached: their address, and without one their profile. */
export const personAddress = ({ email, profile }: Reached): string =>
  email ?? (profile ? profileWords(profile) : '')
