import { getAllCountries } from 'countries-and-timezones'

/** Languages in which country names are recognized; the names come with the runtime (CLDR). */
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
  'el',
  'hu',
  'ro',
  'bg',
  'hr',
  'sr',
  'sk',
  'sl',
  'et',
  'lv',
  'lt',
  'ca',
  'ar',
  'he',
  'id',
  'vi',
]

const ALIASES: Record<string, string> = {
  usa: 'US',
  us: 'US',
  'united states of america': 'US',
  america: 'US',
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  holland: 'NL',
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
  'hong kong sar': 'HK',
  prc: 'CN',
  'pr china': 'CN',
  'ivory coast': 'CI',
  burma: 'MM',
  swaziland: 'SZ',
  'cape verde': 'CV',
  'east timor': 'TL',
  'czech rep': 'CZ',
  eeuu: 'US',
  'ee uu': 'US',
  'etats unis damerique': 'US',
  holanda: 'NL',
  hollande: 'NL',
  grossbritannien: 'GB',
  'grande bretagne': 'GB',
  'gran bretana': 'GB',
  'gran bretagna': 'GB',
  angleterre: 'GB',
  inglaterra: 'GB',
  inghilterra: 'GB',
  ecosse: 'GB',
  schottland: 'GB',
}

/** ISO 3166-1 alpha-3, for the countries that lists name most. */
const ALPHA_3 =
  'ARE:AE ARG:AR AUS:AU AUT:AT BEL:BE BGR:BG BRA:BR CAN:CA CHE:CH CHL:CL CHN:CN COL:CO CYP:CY CZE:CZ DEU:DE DNK:DK EGY:EG ESP:ES EST:EE FIN:FI FRA:FR GBR:GB GRC:GR HKG:HK HRV:HR HUN:HU IDN:ID IND:IN IRL:IE ISL:IS ISR:IL ITA:IT JPN:JP KAZ:KZ KEN:KE KOR:KR LTU:LT LUX:LU LVA:LV MAR:MA MEX:MX MLT:MT MYS:MY NGA:NG NLD:NL NOR:NO NZL:NZ PAK:PK PER:PE PHL:PH POL:PL PRT:PT QAT:QA ROU:RO RUS:RU SAU:SA SGP:SG SRB:RS SVK:SK SVN:SI SWE:SE THA:TH TUN:TN TUR:TR TWN:TW UKR:UA URY:UY VNM:VN ZAF:ZA'

let byName: ReadonlyMap<string, string> | undefined

/** Longer texts are no country names. */
const MAX_CHARS = 100

/**
 * The ISO 3166-1 alpha-2 code of a country in a list: by code, flag, or its name in any of the languages above, with or without
 * accents and dots. Several names, as in "England, UK", must all mean the same country.
 */
export function countryCode(text: string): string | null {
  if (text.length > MAX_CHARS) return null
  byName ??= names()
  const known = byName
  const find = (name: string) => {
    const key = plainName(name)
    return known.get(key) ?? known.get(key.replace(LEADING, '')) ?? flagCode(name)
  }
  const whole = find(text)
  if (whole) return whole
  const parts = text
    .split(/[()/,;]| [-–] /)
    .filter((part) => plainName(part).length > 1 && plainName(part) !== 'the')
  const codes = new Set(parts.map(find))
  const [code = null] = codes
  return codes.size === 1 ? code : null
}

const LEADING =
  /^(the|(federal )?republic of|republik|bundesrepublik|peoples republic of|kingdom of|state of) /

/** Without accents, dots and apostrophes; hyphens become blanks. */
const plainName = (text: string) =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[\p{M}.'’]/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/[\s-]+/g, ' ')
    .trim()

/** Writes Ä as AE, as people do whose keyboard lacks it. */
const spelledOut = (text: string) =>
  text.normalize('NFC').toLowerCase().replace(/ä/g, 'ae').replace(/ö/g, 'oe').replace(/ü/g, 'ue')

function flagCode(text: string): string | null {
  const letters = [...text.trim()].map((char) => (char.codePointAt(0) ?? 0) - 0x1f1e6)
  if (letters.length !== 2 || letters.some((letter) => letter < 0 || letter > 25)) return null
  return byName?.get(String.fromCharCode(...letters.map((letter) => letter + 97))) ?? null
}

function names(): ReadonlyMap<string, string> {
  const codeByName = new Map<string, string>()
  const codes = Object.keys(getAllCountries())
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
    for (const code of codes) {
      const name = display.of(code)
      if (!name) continue
      for (const key of [plainName(name), plainName(spelledOut(name))])
        if (!codeByName.has(key)) codeByName.set(key, code)
    }
  }
  for (const code of codes) codeByName.set(code.toLowerCase(), code)
  for (const pair of ALPHA_3.split(' ')) codeByName.set(pair.slice(0, 3).toLowerCase(), pair.slice(4))
  for (const [alias, code] of Object.entries(ALIASES)) codeByName.set(plainName(alias), code)
  return codeByName
}
