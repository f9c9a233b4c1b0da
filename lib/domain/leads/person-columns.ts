/** The columns of a list of people, besides the name. */
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
/** The orders of a list of people; a leading minus sorts descending. People without the value come last. */
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
