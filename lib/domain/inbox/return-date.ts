const DAY_MS = 86_400_000

// Month names by their beginnings in the languages in which answers come; matched after accents are folded.
const MONTHS = [
  ['jan', 'gen', 'ene', 'sty', 'janv'],
  ['feb', 'fev', 'lut', 'fevr'],
  ['mar', 'mrt', 'maer', 'maar', 'mrz'],
  ['apr', 'avr', 'abr', 'kwi'],
  ['may', 'mai', 'maj', 'mag', 'mei', 'mayo', 'maio'],
  ['jun', 'juin', 'giu', 'cze'],
  ['jul', 'juil', 'lug', 'lip'],
  ['aug', 'aou', 'ago', 'sie', 'aout'],
  ['sep', 'set', 'wrz'],
  ['oct', 'okt', 'ott', 'out', 'paz'],
  ['nov', 'lis'],
  ['dec', 'dez', 'dic', 'gru', 'des'],
] as const
const WEEKDAYS = [
  ['sunday', 'sonntag', 'dimanche', 'domingo', 'domenica', 'zondag', 'sondag'],
  ['monday', 'montag', 'lundi', 'lunes', 'lunedi', 'maandag', 'segunda', 'mandag'],
  ['tuesday', 'dienstag', 'mardi', 'martes', 'martedi', 'dinsdag', 'terca', 'tisdag', 'tirsdag'],
  ['wednesday', 'mittwoch', 'mercredi', 'miercoles', 'mercoledi', 'woensdag', 'quarta', 'onsdag'],
  ['thursday', 'donnerstag', 'jeudi', 'jueves', 'giovedi', 'donderdag', 'quinta', 'torsdag'],
  ['friday', 'freitag', 'vendredi', 'viernes', 'venerdi', 'vrijdag', 'sexta', 'fredag'],
  ['saturday', 'samstag', 'samedi', 'sabado', 'sabato', 'zaterdag', 'lordag'],
] as const

const CUE =
  /\b(until|till|til|through|thru|to|back|return(ing|s)?|again|from|resume|bis|einschl\w*|zuruck|wieder|ab|jusqu\w*|au|retour|rentr\w*|hasta|al|regres\w*|vuelv\w*|vuelta|fino|al|rientr\w*|torn\w*|tot|t\/m|met|terug|ate|retorn\w*|volt\w*|tillbaka|tilbage|tilbake|till|do|wrac\w*|wroc\w*)\b[^.\n]{0,40}$/

/**
 * The day on which an absent person says to be back, or until when to be away, as YYYY-MM-DD: of several the last that
 * a word such as "until" or "back" leads to. Numbers that could be read both ways (3/4) are taken for whichever comes
 * first after the mail. `sentAt` is the mail's own date, which says the year. Null where none is stated.
 */
export function returnDate(text: string, sentAt: number): string | null {
  const folded = text.slice(0, 3_000).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const days = [...dates(folded, sentAt), ...weekdays(folded, sentAt)]
    .filter(({ at }) => at >= sentAt - DAY_MS && at <= sentAt + 400 * DAY_MS)
    .filter(({ index }) => CUE.test(folded.slice(Math.max(0, index - 60), index)))
    .sort((a, b) => a.at - b.at)
  const last = days.at(-1)
  return last ? new Date(last.at).toISOString().slice(0, 10) : null
}

type Found = { index: number; at: number }

const NAMED_DAY_FIRST =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º)?[ ]?(?:of |de |di )?([a-z]{3,10})\.?(?:,? (?:de |del )?(\d{4}))?/g
const NAMED_MONTH_FIRST = /([a-z]{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?(?!\d|:)(?:,? (\d{4}))?/g
const ISO = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/g
const DOTTED = /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{2,4})?(?!\d)/g
const SLASHED = /(?<![\d/])(\d{1,2})[/-](\d{1,2})(?:[/-](\d{2,4}))?(?![\d/])/g
const EASTERN = /(?<!\d)(?:(\d{4})年)?(\d{1,2})月(\d{1,2})日/g

function dates(text: string, sentAt: number): Found[] {
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].slice(0, 50)
  const day = (match: RegExpMatchArray, year: string | undefined, month: number, date: number): Found[] => {
    const at = toInstant(year, month, date, sentAt)
    return at === null ? [] : [{ index: match.index ?? 0, at }]
  }
  return [
    ...all(ISO).flatMap((match) => day(match, match[1], Number(match[2]), Number(match[3]))),
    ...all(EASTERN).flatMap((match) => day(match, match[1], Number(match[2]), Number(match[3]))),
    ...all(DOTTED).flatMap((match) => day(match, match[3], Number(match[2]), Number(match[1]))),
    ...all(SLASHED).flatMap((match) => {
      const [, a, b, year] = match
      const either = [
        ...day(match, year, Number(b), Number(a)),
        ...day(match, year, Number(a), Number(b)),
      ].filter(({ at }) => at >= sentAt - DAY_MS)
      return either.sort((x, y) => x.at - y.at).slice(0, 1)
    }),
    ...all(NAMED_DAY_FIRST).flatMap((match) => day(match, match[3], parseMonth(match[2]), Number(match[1]))),
    ...all(NAMED_MONTH_FIRST).flatMap((match) =>
      day(match, match[3], parseMonth(match[1]), Number(match[2])),
    ),
  ]
}

function parseMonth(name = ''): number {
  return MONTHS.findIndex((starts) => starts.some((start) => name.startsWith(start))) + 1
}

/** Without a year: the next such day. Null for days that no calendar has. */
function toInstant(year: string | undefined, month: number, date: number, sentAt: number): number | null {
  if (month < 1 || month > 12 || date < 1 || date > 31) return null
  const sentYear = new Date(sentAt).getUTCFullYear()
  const given = year === undefined ? null : Number(year) + (year.length <= 2 ? 2_000 : 0)
  const at = Date.UTC(given ?? sentYear, month - 1, date)
  if (new Date(at).getUTCDate() !== date) return null
  return given === null && at < sentAt - 30 * DAY_MS ? Date.UTC(sentYear + 1, month - 1, date) : at
}

function weekdays(text: string, sentAt: number): Found[] {
  const start = Math.floor(sentAt / DAY_MS) * DAY_MS
  return WEEKDAYS.flatMap((names, weekday) =>
    names.flatMap((name) => {
      const match = new RegExp(`\\b${name}\\b(?!,? (the )?\\d|,? [a-z]{3,9} \\d)`).exec(text)
      if (!match) return []
      const ahead = (weekday - new Date(start).getUTCDay() + 7) % 7 || 7
      return [{ index: match.index, at: start + ahead * DAY_MS }]
    }),
  )
}
