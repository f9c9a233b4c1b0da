import { countryCode } from '#lib/domain/enrichment/country'
import { addressOfProfile, profileAddress, profileAddressOn } from '#lib/domain/social/profile-address'
import { profileFields, SOCIAL_NETWORKS } from '#lib/domain/social/social-profile'
import { telephone } from '#lib/domain/text/phone-number'

const PHONE_FIELDS = ['phone', 'whatsapp']
const PROFILES = SOCIAL_NETWORKS.filter((network) => network !== 'whatsapp').map((network) => ({
  network,
  fields: profileFields(network),
}))

/** The cells of a row that name somebody beside their address, and the one that says how a telephone number is meant. */
export const NAMING_FIELDS: readonly string[] = [
  ...PROFILES.flatMap(({ fields }) => fields),
  ...PHONE_FIELDS,
  'country',
]

export type Naming = {
  /** Cells of the row. */
  data: Record<string, unknown>
  /** The address or the name by which a lead was enrolled. */
  social_profile?: string | null
  /** What is known of the person: `network:profile`, and the telephone number as a list has it. */
  profile?: string | null
  phone?: string | null
  country?: string | null
}

const cell = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : null)

/** As entries of a suppression list name somebody beside their address: by profile, `linkedin.com/in/ada`, and by telephone. */
export function listedNames({ data, social_profile, profile, phone, country }: Naming): string[] {
  const place = (text: unknown) => countryCode(cell(text) ?? '')
  const names = [
    ...PROFILES.flatMap(({ network, fields }) =>
      fields.map((field) => cell(data[field]) && profileAddressOn(network, `${data[field]}`)),
    ),
    social_profile ? profileAddress(social_profile) : null,
    profile ? addressOfProfile(profile) : null,
    ...PHONE_FIELDS.map((field) => telephone(cell(data[field]) ?? '', place(data.country))),
    phone ? telephone(phone, place(country)) : null,
  ]
  return [...new Set(names.filter((name) => name !== null))]
}
