/** What a list of people shows of each, beside their name. */
export const PERSON_COLUMNS = [
  'company',
  'title',
  'tags',
  'last_contacted_at',
  'replied',
  'country',
  'phone',
  'profile',
  'created_at',
] as const
export type PersonColumn = (typeof PERSON_COLUMNS)[number]
