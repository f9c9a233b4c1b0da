import { getAllCountries } from 'countries-and-timezones'

/** Languages in which lists name countries; the names come with the runtime (CLDR). */
const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'sv',
  'da',
  'nb',
  'fi',
  'cs',
  'tr',
  'ru',
  'uk',
  'ja',
  'zh',
  'ko',
]

const ALIASES: Record<string, string> = {
  usa: 'US',
  'u.s.': 'US',
  'u.s.a.': 'US',
  'united states of america': 'US',
  america: 'US',
  uk: 'GB',
  'u.k.': 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  holland: 'NL',
  'the netherlands': 'NL',
  'czech republic': 'CZ',
  brasil: 'BR',
  uae: 'AE',
  korea: 'KR',
  'republic of korea': 'KR',
  'south korea': 'KR',
  'republic of ireland': 'IE',
  'russian federation': 'RU',
  brd: 'DE',
  'viet nam': 'VN',
  turkey: 'TR',
  macedonia: 'MK',
  'hong kong': 'HK',
  macau: 'MO',
}

let byName: ReadonlyMap<string, string> | undefined

/** ISO 3166-1 alpha-2 of a country as lists name it: by code, or by its name in any of the languages above. */
export function countryCode(text: string): string | null {
  const name = text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
  if (name === '') return null
  byName ??= names()
  return byName.get(name) ?? null
}

function names(): ReadonlyMap<string, string> {
  const codeByName = new Map<string, string>()
  const codes = Object.keys(getAllCountries())
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
    for (const code of codes) {
      const name = display.of(code)?.toLowerCase()
      if (name && !codeByName.has(name)) codeByName.set(name, code)
    }
  }
  for (const code of codes) codeByName.set(code.toLowerCase(), code)
  for (const [alias, code] of Object.entries(ALIASES)) codeByName.set(alias, code)
  return codeByName
}
