import { countryCode } from '#lib/domain/enrichment/country'
import { addressOfProfile, profileAddress, profileAddressOn } from '#lib/domain/social/profile-address'
import { profileFields, SOCIAL_NETWORKS } from '#lib/domain/social/social-profile'
import { telephone } from '#lib/domain/text/phone-number'

const PHONE_FIELDS = ['phone', 'whatsapp']
const PROFILES = SOCIAL_NETWORKS.filter((network) => network !== 'whatsapp').map((network) => ({
  network,
  fields: profileFields(network),
}))

/** The cells that identify a person besides their address, and the one with the country for a phone number. */
export const NAMING_FIELDS: readonly string[] = [
  ...PROFILES.flatMap(({ fields }) => fields),
  ...PHONE_FIELDS,
  'country',
]

export type Naming = {
  /** The cells of the row. */
  data: Record<string, unknown>
  /** The profile address or name with which a lead was enrolled. */
  social_profile?: string | null
  /** Known facts about the person: `network:profile`, and the phone number as in a list. */
  profile?: string | null
  phone?: string | null
  country?: string | null
}

const cell = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : null)

/**
 * Identifies a person in the form of suppression entries, besides the address: by profile, `linkedin.com/in/ada`, and by phone
 * number.
 */
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
