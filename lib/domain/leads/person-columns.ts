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
/** What a list of people is sorted by; a minus sorts from the last. Whoever has no such value comes last. */
export const PEOPLE_SORTS = [
  'name',
  '-name',
  'company',
  '-company',
  'title',
  '-title',
  'tags',
  '-tags',
  'country',
  '-country',
  'phone',
  '-phone',
  'profile',
  '-profile',
  'last_contacted_at',
  '-last_contacted_at',
  'replied',
  '-replied',
  'created_at',
  '-created_at',
] as const
export type PeopleSort = (typeof PEOPLE_SORTS)[number]
export type PersonColumn = (typeof PERSON_COLUMNS)[number]
