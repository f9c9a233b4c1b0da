import { DAY_MS, loadZone, toLocal } from '#lib/domain/calendar/zoned-time'

const DAY = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
const TIME = { ...DAY, hour: '2-digit', minute: '2-digit' } as const

/** With a year, British English puts a comma after the weekday; without a year, and everywhere else in the product, there is none. */
const withoutComma = (day: string) => day.replace(',', '')

// Created on demand: the first formatter costs as much as loading ten modules.
const inWords = (form: Intl.DateTimeFormatOptions, timezone: string, at: number) =>
  withoutComma(new Intl.DateTimeFormat('en-GB', form).format(toLocal(loadZone(timezone), at)))

/** A date without a time zone, such as a provider's reporting day: “Mon 2 Mar 2026”. `day` as in parseDay. */
export const dateInWords = (day: number): string => inWords(DAY, 'UTC', day * DAY_MS)

/** The day of an instant in a zone: “Mon 2 Mar 2026”. */
export const dayInWords = (timezone: string, at: number): string => inWords(DAY, timezone, at)

/** An instant in a zone: “Mon 2 Mar 2026, 11:00 (Europe/Berlin)”. */
export const timeInWords = (timezone: string, at: number): string =>
  `${inWords(TIME, timezone, at)} (${timezone})`
