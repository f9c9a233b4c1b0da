import { GLUED_FORMS, LEADING_FORMS, LEGAL_FORMS } from '#lib/domain/enrichment/legal-forms'
import { capitalised, isOneCase } from '#lib/domain/enrichment/letter-case'
import { trimEndChars } from '#lib/domain/text/text-end'

export type CompanyName = {
  /** The name as used in a sentence. */
  name: string
  /** The legal form as in the cell; empty if there is none. */
  legal_form: string
}

const key = (text: string) => text.toLowerCase().replace(/[.,\s]/g, '')
const FORMS = new Set(LEGAL_FORMS.map(key))
const LEADING = new Set(LEADING_FORMS.map(key))
const MAX_FORM_WORDS = 6
/** No register has a longer name; the rest of the cell is prose and is cut. */
const MAX_CHARS = 500
/** Words that are as often part of the name: removed only after a comma or together with another form. */
const WEAK = new Set([
  'trust',
  'foundation',
  'company',
  'me',
  'as',
  'ad',
  'est',
  'cv',
  'pc',
  'se',
  'sa',
  'co',
])

/** Words that stay in lower case inside a name in capitals. */
const SMALL = new Set(
  'and of the for und der die das et de la le du des y del da do e di van von &'.split(' '),
)
/**
 * Words in capitals that are not acronyms. Other capitals of four letters or fewer without a vowel in the right place are read
 * as one.
 */
const WORDS = new Set(
  `ACME AIR ART AUTO BANK BAR BEST BIG BIO BLUE BOX CAFE CALL CAR CARE CARS CITY CLUB CODE COOL CORE DATA DEAL DRY EAST EASY
  ECO FARM FAST FIRE FISH FOOD FOX FREE FUN GAME GOLD GOOD GREEN HAIR HOME HOT IDEA IRON JET JOB JOBS KEY KIDS LAB LABS LAND
  LAW LEAD LIFE LION LIVE LOOP LUX MAX MEDIA MIND MINT MOON NET NEW NEXT NORD NOVA OIL ONE OPEN PARK PART PAY PET PINK POST PRO
  PURE RED RENT RICH ROAD SAFE SALE SEA SHIP SHOP SILK SKIN SKY SMART SOFT SOLO SPA STAR SUN TAX TEA TEAM TECH TOP TOY TREE
  TRUE VAN WAY WEB WEST WIN WINE WOLF WOOD WORK ZEN ZOO`.split(/\s+/),
)

/**
 * A company's name for use in a sentence, and its legal form: `ACME, Inc.` gives `Acme` and `Inc.`. A pronounceable word in
 * capitals becomes a name; acronyms (IBM, BMW, SAP SE) stay. A name that is nothing but a form stays whole.
 */
export function readCompany(text: string): CompanyName | null {
  const spaced = text.slice(0, MAX_CHARS).replace(/\s+/g, ' ')
  const clean = trimEndChars(spaced.replace(/^["“„' ]+/, ''), `"”“' `)
  if (clean === '' || !/[\p{L}\p{N}]/u.test(clean)) return null
  const { rest, form } = withoutForm(withoutRemarks(clean))
  const name = mendCase(rest)
  return { name, legal_form: form }
}

/** Removes remarks as in `Acme (formerly Foo)` and `Acme | The best`; a form in brackets counts as the form. */
const withoutRemarks = (text: string) =>
  (text.split(/ [|–—] /, 1)[0] ?? '').replace(/ ?\((?!haftungsbeschr|publ|株|주)[^()]*\)/gi, '').trim() ||
  text

function withoutForm(text: string): { rest: string; form: string } {
  for (const form of GLUED_FORMS) {
    if (text.endsWith(form) && text.length > form.length)
      return { rest: text.slice(0, -form.length).trim(), form }
    if (text.startsWith(form) && text.length > form.length)
      return { rest: text.slice(form.length).trim(), form }
  }
  const words = text.split(' ')
  for (let count = Math.min(MAX_FORM_WORDS, words.length - 1); count > 0; count--) {
    const form = words
      .slice(-count)
      .join(' ')
      .replace(/^[,&\s]+/, '')
    const before = words.slice(0, -count).join(' ')
    if (!FORMS.has(key(form))) continue
    if (WEAK.has(key(form)) && !before.endsWith(',') && !/[A-Z./]{2}/.test(form)) continue
    return deeper(trimEndChars(before, ' ,&'), form, text)
  }
  const [first = '', ...others] = words
  if (others.length > 0 && LEADING.has(key(first)) && first === first.toUpperCase())
    return { rest: others.join(' ').replace(/^["«„]|["»“]$/g, ''), form: first }
  return { rest: trimEndChars(text, ' ,'), form: '' }
}

/** `Foo Co., Ltd.`: one form before another. */
function deeper(before: string, form: string, whole: string): { rest: string; form: string } {
  if (before === '') return { rest: whole, form: '' }
  const further = withoutForm(before)
  if (further.form === '' || further.rest === '') return { rest: before, form }
  return { rest: further.rest, form: `${further.form} ${form}` }
}

function mendCase(name: string): string {
  const which = isOneCase(name)
  if (!which || /[./@]\S/.test(name)) return name
  const words = name.split(' ')
  // A single lower-case word is how some companies write themselves (adidas); several are just how somebody typed.
  if (which === 'lower') return words.length === 1 ? capitalised(name) : words.map(inTitle).join(' ')
  return words.map((word, index) => (isAcronym(word, words.length) ? word : inTitle(word, index))).join(' ')
}

const inTitle = (word: string, index: number) =>
  index > 0 && SMALL.has(word.toLowerCase()) ? word.toLowerCase() : capitalised(word)

function isAcronym(word: string, of: number): boolean {
  const letters = word.replace(/[^\p{L}]/gu, '')
  if (SMALL.has(word.toLowerCase()) && of > 1) return false
  if (/[\d&]/.test(word) || letters.length <= 1) return true
  if (WORDS.has(letters)) return false
  if (letters.length <= 3) return true
  return !/[AEIOUYÄÖÜÉÈÀ]/.test(letters) || (letters.length === 4 && !isSpeakable(letters))
}

/** Four letters with alternating vowels and consonants are pronounceable: NASA could as well be a name, so it becomes one. */
const isSpeakable = (letters: string) => !/[^AEIOUY]{3}/.test(letters) && /[AEIOUY]/.test(letters)
