import { NEXT_WEEK, WEEK } from '#lib/domain/inbox/absence/return-words'
import { findDays, type Token, tokenize } from '#lib/domain/inbox/absence/said-days'

const DAY_MS = 86_400_000
/** Nobody means a day further off than that. */
const MAX_DAYS = 731

const list = (words: string) => words.split(' ')

/** Whole names of months, as they follow "in" or "from", from January on. */
const MONTHS = [
  'january januar janvier enero gennaio januari janeiro styczniu stycznia ledna lednu январе jan',
  'february februar fevrier febrero febbraio februari fevereiro lutym lutego unora феврале feb',
  'march marz maerz mars marzo maart marco marcu marca brezna breznu марте mar',
  'april avril abril aprile kwietniu kwietnia dubna dubnu апреле apr',
  'may mai mayo maggio mei maio maj maju maja kvetna kvetnu мае',
  'june juni juin junio giugno junho czerwcu czerwca cervna cervnu июне jun',
  'july juli juillet julio luglio julho lipcu lipca cervence cervenci июле jul',
  'august aout agosto augustus augusti sierpniu sierpnia srpna srpnu августе aug',
  'september septembre septiembre settembre setembro wrzesniu wrzesnia zari сентябре sep sept',
  'october oktober octobre octubre ottobre outubro pazdzierniku pazdziernika rijna rijnu октябре oct okt',
  'november novembre noviembre novembro listopadzie listopada listopadu ноябре nov',
  'december dezember decembre diciembre dicembre dezembro desember grudniu grudnia prosince prosinci декабре dec dez',
].map(list)

const BEFORE_MONTH = list(
  'in im en em a ad i w v в ab from by gegen anfang ende mitte beginning start end mid early late de di von of around about until till before vor vers hacia principios finales mediados inizio fine meta fin debut mi medio inicio vanaf begin eind midden poczatku koncu konca slutten starten borjan slutet bis jusqu hasta per to again',
)
const AFTER = list('after nach apres dopo despues depois po efter etter na nach')
const IN = list('in dans en em tra fra over om za within nach after dentro daqui binnen ca через')

const UNITS: Readonly<Record<string, readonly string[]>> = {
  day: list('day days tag tage tagen jour jours dia dias giorno giorni dag dagen dagar dage dager dni dzien'),
  week: list(
    'week weeks woche wochen semaine semaines semana semanas settimana settimane weken vecka veckor uge uger uke uker tydzien tygodnie tygodni tydny недели недель',
  ),
  month: list(
    'month months monat monate monaten mois mes meses mese mesi maand maanden manad manader maned maneder miesiac miesiace miesiecy mesice mesicu месяц месяца месяцев',
  ),
  quarter: list(
    'quarter quarters quartal quartale quartals trimestre trimestres kwartaal kvartal kwartal kwartale',
  ),
  year: list(
    'year years jahr jahre jahren an ans annee annees ano anos anno anni jaar jaren ar rok roku lata год года',
  ),
}

const NUMBERS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'a an one ein eine einem einer einen un une una uno een um uma en ett et jeden',
    'two couple zwei paar deux dos due twee dois duas tva to dwa',
    'three few drei einigen quelques trois tres algunos unos tre qualche drie enkele tres trzy kilka',
    'four vier quatre cuatro quattro quatro fyra fire cztery',
    'five funf cinq cinco cinque vijf fem piec',
    'six sechs seis sei zes sex seks szesc',
  ].flatMap((words, index) => list(words).map((word) => [word, index + 1])),
)

const NEXT = list(
  'next new coming following nachste nachsten nachstes nachster kommende kommenden kommendes neue neuen neues prochain prochaine nouvel nouvelle proximo proxima nuevo nueva prossimo prossima nuovo nuova volgend volgende komende nieuwe novo nova nasta nya næste neste nye przyszlym przyszly przyszlego nowym pristi следующем',
)
const CHRISTMAS = list(
  'christmas holidays weihnachten feiertagen noel fetes navidad natale kerst feestdagen natal jul swietach',
)
const SEASONS = [
  'spring fruhjahr fruhling printemps primavera voorjaar lente varen foraret varen wiosna',
  'summer sommer sommerpause ete verano estate zomer verao sommaren sommeren lecie wakacjach',
  'autumn fall herbst automne otono autunno herfst najaar outono hosten efteraret jesienia rentree',
  'winter hiver invierno inverno vintern zima',
].map(list)
const FIRST = list('first 1st erstes ersten premier primer primo eerste primeiro forsta forste pierwszym')
const SECOND = list('second 2nd zweites zweiten deuxieme segundo secondo tweede andra andet drugim')
const THIRD = list('third 3rd drittes dritten troisieme tercer terzo derde terceiro tredje trzecim')
const FOURTH = list('fourth 4th viertes vierten quatrieme cuarto quarto vierde fjarde fjerde czwartym')
const ORDINALS = [FIRST, SECOND, THIRD, FOURTH]

/**
 * The first day that a text, already in plain letters, names to come back to, YYYY-MM-DD: a date, a month, a quarter, or
 * so many weeks from when it was said. A month or quarter is its first day. Null where it names none, or one that cannot
 * be told ("after Easter").
 */
export function laterDay(plain: string, saidAt: number): string | null {
  const tokens = tokenize(plain)
  const today = Math.floor(saidAt / DAY_MS) * DAY_MS
  const dates = findDays(tokens, plain, saidAt).filter(({ from }) => !isQuantity(tokens, from))
  const spans = tokens.flatMap((token, index) => {
    const at = spanAt(tokens, index, today)
    return at === null ? [] : [{ from: token.from, at }]
  })
  const [first] = [...dates, ...spans]
    .filter(({ at }) => at > today && at <= today + MAX_DAYS * DAY_MS)
    .sort((a, b) => a.from - b.from)
  return first ? new Date(first.at).toISOString().slice(0, 10) : null
}

/** The first day of what begins at a token; null where it is no span of time. */
function spanAt(tokens: Token[], index: number, today: number): number | null {
  return (
    fromNow(tokens, index, today) ??
    nextUnit(tokens, index, today) ??
    quarter(tokens, index, today) ??
    month(tokens, index, today) ??
    season(tokens, index, today)
  )
}

const wordAt = (tokens: Token[], index: number) => tokens[index]?.word ?? ''
const unitAt = (tokens: Token[], index: number) =>
  Object.keys(UNITS).find((unit) => UNITS[unit]?.includes(wordAt(tokens, index)))

/** Whether the number there counts something, as in "3 weeks". */
function isQuantity(tokens: Token[], from: number): boolean {
  const index = tokens.findIndex((token) => token.from === from)
  return unitAt(tokens, index + 1) !== undefined && tokens[index]?.number !== null
}

/** "in three months", "in 2 weeks", "3 weeks from now", "in einem halben Jahr" */
function fromNow(tokens: Token[], index: number, today: number): number | null {
  const token = tokens[index]
  if (token?.word === 'half' && wordAt(tokens, index - 1) === 'in' && unitAt(tokens, index + 2) === 'year')
    return addUnits(today, 'month', 6)
  const count = token?.number ?? NUMBERS[token?.word ?? ''] ?? null
  if (count === null || count > 60) return null
  const near = [wordAt(tokens, index + 1), wordAt(tokens, index + 2)]
  const isHalf = /^(half|halben|halbes|demi|medio|mezzo|half|meio|halvt|pol)$/.test(near[0] ?? '')
  const skipped = isHalf || /^(of|paar|more|weitere|autres|de|d|or|bis)$/.test(near[0] ?? '') ? 1 : 0
  const unit = unitAt(tokens, index + 1 + skipped)
  const follows = wordAt(tokens, index + 2 + skipped)
  const isFuture =
    [wordAt(tokens, index - 1), wordAt(tokens, index - 2)].some((word) => IN.includes(word)) ||
    /^(from|time|later|spater|mas|plus)$/.test(follows)
  if (!unit || !isFuture) return null
  return isHalf && unit === 'year' ? addUnits(today, 'month', 6) : addUnits(today, unit, count)
}

function addUnits(today: number, unit: string, count: number): number {
  if (unit === 'day' || unit === 'week') return today + count * (unit === 'week' ? 7 : 1) * DAY_MS
  const months = count * (unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12)
  const day = new Date(today)
  const first = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1)
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months + 1, 0)).getUTCDate()
  return first + (Math.min(day.getUTCDate(), last) - 1) * DAY_MS
}

/** "next month", "le trimestre prochain", "in the new year" */
function nextUnit(tokens: Token[], index: number, today: number): number | null {
  const [word, other] = [wordAt(tokens, index), wordAt(tokens, index + 1)]
  const isNext = NEXT.includes(word) || NEXT_WEEK.includes(word)
  const unit = isNext ? unitAt(tokens, index + 1) : NEXT.includes(other) ? unitAt(tokens, index) : undefined
  const day = new Date(today)
  const [year, thisMonth] = [day.getUTCFullYear(), day.getUTCMonth()]
  if (unit === 'week' || (isNext && WEEK.includes(other)))
    return today + ((8 - day.getUTCDay()) % 7 || 7) * DAY_MS
  if (unit === 'month') return Date.UTC(year, thisMonth + 1, 1)
  if (unit === 'quarter') return Date.UTC(year, Math.floor(thisMonth / 3) * 3 + 3, 1)
  if (unit === 'year') return Date.UTC(year + 1, 0, 1)
  return null
}

/** "Q2", "T2", "2. Quartal", "the second quarter" */
function quarter(tokens: Token[], index: number, today: number): number | null {
  const [token, next] = [tokens[index], tokens[index + 1]]
  const isLetter = token && /^[qtk]$/.test(token.word) && next?.from === token.to
  const isNamed = unitAt(tokens, index + 1) === 'quarter'
  const number = isLetter ? next?.number : isNamed ? (token?.number ?? ordinal(token?.word)) : null
  if (number == null || number < 1 || number > 4) return null
  return upcoming(today, (number - 1) * 3)
}

const ordinal = (word = '') => ORDINALS.findIndex((words) => words.includes(word)) + 1

/** The first of a month, counted from 0, this year or the next. */
function upcoming(today: number, index: number): number {
  const year = new Date(today).getUTCFullYear()
  const at = Date.UTC(year, index, 1)
  return at > today ? at : Date.UTC(year + 1, index, 1)
}

/** "in March", "mid March", "after April" */
function month(tokens: Token[], index: number, today: number): number | null {
  const word = wordAt(tokens, index)
  const named = MONTHS.findIndex((names) => names.includes(word))
  // A number beside it makes a date of it.
  const isDate = [tokens[index - 1], tokens[index + 1]].some(
    (near) => near?.number != null && near.number <= 31,
  )
  if (named < 0 || isDate) return null
  const before = [wordAt(tokens, index - 1), wordAt(tokens, index - 2)]
  if (AFTER.includes(before[0] ?? '')) return upcoming(today, named + 1)
  if (!BEFORE_MONTH.includes(before[0] ?? '')) return null
  const first = upcoming(today, named)
  if (before.some((each) => /^(mid|middle|mitte|mi|mediados|meta|midden|meados|polowie)$/.test(each)))
    return first + 14 * DAY_MS
  if (
    before.some((each) =>
      /^(end|late|ende|fin|finales|fine|eind|fim|slutet|slutten|koniec|koncu)$/.test(each),
    )
  )
    return first + 24 * DAY_MS
  return first
}

/** "in spring", "after the summer", "after Christmas" */
function season(tokens: Token[], index: number, today: number): number | null {
  const word = wordAt(tokens, index)
  const before = [1, 2, 3].map((back) => wordAt(tokens, index - back))
  const isAfter = before.some((each) => AFTER.includes(each))
  if (CHRISTMAS.includes(word)) {
    const isNear =
      new Date(today).getUTCMonth() >= 9 || !/^(holidays|feiertagen|fetes|feestdagen)$/.test(word)
    return isAfter && isNear ? upcoming(today, 0) + DAY_MS : null
  }
  const named = SEASONS.findIndex((names) => names.includes(word))
  const isTold = isAfter || before.some((each) => BEFORE_MONTH.includes(each) || IN.includes(each))
  if (named < 0 || !isTold) return null
  return upcoming(today, (named * 3 + 2 + (isAfter ? 3 : 0)) % 12)
}
