/** Where a dataset's row says who the lead is on each network: the first of these fields that has a value. */
const PROFILE_FIELDS: Record<string, readonly string[]> = {
  linkedin: ['linkedin_url', 'linkedin', 'linkedin_profile'],
  twitter: ['twitter_url', 'twitter', 'x_url'],
  instagram: ['instagram_url', 'instagram'],
  telegram: ['telegram_url', 'telegram'],
  whatsapp: ['whatsapp', 'phone'],
}

export const SOCIAL_NETWORKS: readonly string[] = Object.keys(PROFILE_FIELDS)

/** The network of campaigns that name no account: the one that datasets have a field of their own for. */
export const DEFAULT_NETWORK = 'linkedin'

export const profileFields = (network: string): readonly string[] => PROFILE_FIELDS[network] ?? [network]

/** A profile as people have it, `network:profile`, as the cell of a row that is read back as the same profile. */
export function profileCell(profile: string): Record<string, string> {
  const at = profile.indexOf(':')
  const [field = ''] = profileFields(profile.slice(0, at))
  const name = profile.slice(at + 1)
  return { [field]: name.includes('/') ? `https://${name}` : name }
}
