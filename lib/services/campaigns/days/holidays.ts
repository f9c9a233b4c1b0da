import type Holidays from 'date-holidays'
import { type HolidayNames, type ScheduleRules, upcomingHolidays } from '#lib/domain/calendar/schedule'
import { DAY_MS, formatDay, loadZone, parseDay, toDay } from '#lib/domain/calendar/zoned-time'
import { ValidationError } from '#lib/errors'

export type HolidayPlace = { holiday_country: string | null; holiday_region: string | null }
type Calendar = Holidays

/** Holidays are computed only for these years: a forecast over centuries would take minutes. */
const [FIRST_YEAR, LAST_YEAR] = [2000, 2100]

// The library and its rules take memory, so it is loaded only when a campaign needs it.
const load = async () => (await import('date-holidays')).default

const known = new Map<string, HolidayNames>()

/** The public holidays of a country, and of a region of it, by their local names. Null without a country. */
export async function loadHolidays(place: HolidayPlace): Promise<HolidayNames | null> {
  const { holiday_country: country, holiday_region: region } = place
  if (country === null) return null
  const key = `${country} ${region ?? ''}`
  const before = known.get(key)
  if (before) return before
  const Calendars = await load()
  const calendar = region === null ? new Calendars(country) : new Calendars(country, region)
  const years = new Map<number, ReadonlyMap<number, string>>()
  const names: HolidayNames = (day) => {
    const year = new Date(day * DAY_MS).getUTCFullYear()
    if (year < FIRST_YEAR || year > LAST_YEAR) return null
    const named = years.get(year) ?? holidaysOfYear(calendar, year)
    years.set(year, named)
    return named.get(day) ?? null
  }
  known.set(key, names)
  return names
}

/** Whole days by local date. Half holidays are not included. */
function holidaysOfYear(calendar: Calendar, year: number): ReadonlyMap<number, string> {
  const named = new Map<number, string>()
  for (const { type, date, start, end, name } of calendar.getHolidays(year)) {
    if (type !== 'public') continue
    const first = parseDay(date.slice(0, 10))
    const days = Math.round((end.getTime() - start.getTime()) / DAY_MS)
    for (let day = first; day < first + days; day++) if (!named.has(day)) named.set(day, name)
  }
  return named
}

const MOST_SHOWN = 5

/** The next holidays on which a schedule would send otherwise. */
export async function nextHolidays(schedule: ScheduleRules & HolidayPlace, now: Date) {
  const rules = { ...schedule, holidays: await loadHolidays(schedule) }
  const today = toDay(loadZone(schedule.timezone), now.getTime())
  return upcomingHolidays(rules, today, MOST_SHOWN).map(({ day, name }) => ({ date: formatDay(day), name }))
}

type Regions = { code: string; name: string }[]
export type HolidayCountry = { code: string; name: string; regions: Regions }

/** The countries whose holidays are known, by name, with the regions that have holidays of their own. */
export async function listHolidayCountries(): Promise<HolidayCountry[]> {
  const calendars = new (await load())()
  return toRegions(calendars.getCountries('en'))
    .map(({ code, name }) => ({ code, name, regions: toRegions(calendars.getStates(code, 'en')) }))
    .filter(({ code }) => code.length === 2)
}

const toRegions = (names: Record<string, string> | undefined): Regions =>
  Object.entries(names ?? {})
    .map(([code, name]) => ({ code, name }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))

/** 422 for a country whose holidays are unknown, or a region that it does not have. */
export async function checkHolidays({ holiday_country, holiday_region }: HolidayPlace): Promise<void> {
  if (holiday_country === null && holiday_region === null) return
  const country = (await listHolidayCountries()).find(({ code }) => code === holiday_country)
  if (holiday_country === null) refuse('holiday_region', 'needs a holiday_country')
  if (!country) return refuse('holiday_country', 'is not a country with known holidays')
  if (holiday_region !== null && !country.regions.some(({ code }) => code === holiday_region))
    refuse('holiday_region', `is not a region of ${country.name} with its own holidays`)
}

function refuse(field: keyof HolidayPlace, msg: string): never {
  throw new ValidationError([{ loc: ['body', field], msg, type: 'holidays_unknown' }])
}
