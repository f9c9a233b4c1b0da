/** The columns of a row that hold the lead's profile on each network: the first with a value counts. */
const PROFILE_FIELDS: Record<string, readonly string[]> = {
  linkedin: ['linkedin_url', 'linkedin', 'linkedin_profile'],
  twitter: ['twitter_url', 'twitter', 'x_url'],
  instagram: ['instagram_url', 'instagram'],
  telegram: ['telegram_url', 'telegram'],
  whatsapp: ['whatsapp', 'phone'],
}

export const SOCIAL_NETWORKS: readonly string[] = Object.keys(PROFILE_FIELDS)

/** The network of campaigns without an account: the one that has its own field in datasets. */
export const DEFAULT_NETWORK = 'linkedin'

export const profileFields = (network: string): readonly string[] => PROFILE_FIELDS[network] ?? [network]

/** A profile, `network:profile`, as a cell that is parsed as the same profile again. */
export function profileCell(profile: string): Record<string, string> {
  const at = profile.indexOf(':')
  const [field = ''] = profileFields(profile.slice(0, at))
  const name = profile.slice(at + 1)
  return { [field]: name.includes('/') ? `https://${name}` : name }
}
