const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** A date, YYYY-MM-DD, as an axis label: 3 Dec. */
export const shortDay = (date: string): string => format.format(new Date(`${date}T00:00Z`))
