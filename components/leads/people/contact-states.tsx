type Contact = {
  contacted?: 'true' | 'false' | undefined
  replied?: 'true' | 'false' | undefined
  contacted_in_days?: number | undefined
  not_contacted_in_days?: number | undefined
}

/** Resets the contact filters. */
export const NO_CONTACT = {
  contacted: undefined,
  replied: undefined,
  contacted_in_days: undefined,
  not_contacted_in_days: undefined,
} satisfies Contact

/** The states of contact, as filters of the people list. */
export const CONTACT_STATES: { label: string; asks: Contact }[] = [
  { label: 'All', asks: {} },
  { label: 'Never contacted', asks: { contacted: 'false' } },
  ...[7, 30, 90].map((days) => ({ label: `Contacted in ${days} days`, asks: { contacted_in_days: days } })),
  { label: 'Not contacted in 90 days', asks: { not_contacted_in_days: 90 } },
  { label: 'Replied', asks: { replied: 'true' } },
]
