/** The fields with a fixed name; every other column of a list is stored under its slug. */
export const LEAD_FIELDS = [
  'email',
  'first_name',
  'last_name',
  'full_name',
  'company',
  'title',
  'phone',
  'website',
  'linkedin_url',
  'city',
  'country',
  'timezone',
] as const
export type LeadField = (typeof LEAD_FIELDS)[number]
