import { type Flag, flag } from '#lib/domain/personalize/flag'
import { linkFlags, placeholderFlags } from '#lib/domain/personalize/link-flags'
import { givesOrders, type Material, UNSUBSCRIBE_MARK, type Written } from '#lib/domain/personalize/material'
import { greetingFlags, nameFlags } from '#lib/domain/personalize/name-flags'
import { hasWord, plain } from '#lib/domain/personalize/plain-words'
import { LEFTOVERS, MONTHS_AND_DAYS, PRETENCE, QUANTITY } from '#lib/domain/personalize/words'

/** `others`: names, companies and addresses of other leads of the list. `longest` in characters of the body. */
export type Limits = { others?: readonly string[]; longest?: number; subject_needed?: boolean }

const LONGEST_BODY = 4_000
const LONGEST_SUBJECT = 150

/**
 * Why a person should check a text carefully; empty if every rule holds. The rules know only the material: anything that is in
 * no cell, template, profile or instruction counts as invented. They are coarse on purpose and never correct a text.
 */
export function findFlags(written: Written, material: Material, limits: Limits = {}): Flag[] {
  const cells = Object.fromEntries(Object.entries(material.cells).filter(([, value]) => !givesOrders(value)))
  const own = [
    material.template?.subject,
    material.template?.body,
    ...Object.values(material.sender),
    material.prompt,
  ]
  const owners = own.filter((part) => part !== undefined).join('\n')
  const sources = `${owners}\n${Object.values(cells).join('\n')}`
  const text = `${written.subject}\n${written.body}`
  return unique([
    ...sizeFlags(written, limits),
    ...claimFlags(written, { ...material, cells }, text),
    ...numberFlags(text, sources),
    ...nameFlags(text, sources),
    ...linkFlags(text, owners, cells),
    ...placeholderFlags(text, owners),
    ...greetingFlags(written.body, cells, owners),
    ...otherLeadFlags(text, sources, limits.others ?? []),
    ...phraseFlags(text, owners),
    ...orderFlags(material.cells),
  ])
}

function unique(flags: Flag[]): Flag[] {
  return [...new Map(flags.map((one) => [`${one.code} ${one.message}`, one])).values()]
}

function sizeFlags({ subject, body }: Written, { longest = LONGEST_BODY, subject_needed }: Limits): Flag[] {
  const flags: Flag[] = []
  if (!body.trim()) flags.push(flag('empty', 'The text is empty.'))
  if (subject_needed && !subject.trim()) flags.push(flag('empty', 'The subject is empty.'))
  if (body.length > longest)
    flags.push(flag('too_long', `The text has ${body.length} characters. The maximum here is ${longest}.`))
  if (subject.length > LONGEST_SUBJECT)
    flags.push(flag('too_long', `The subject has ${subject.length} characters.`))
  return flags
}

function findSource(cell: string, { cells, sender, template, prompt }: Material): string | null {
  if (Object.hasOwn(cells, cell)) return cells[cell] ?? null
  if (cell.startsWith('sender.'))
    return Object.hasOwn(sender, cell.slice(7)) ? (sender[cell.slice(7)] ?? null) : null
  if (cell === 'template') return template && `${template.subject}\n${template.body}`
  return cell === 'prompt' || cell === 'wish' ? prompt : null
}

function claimFlags({ claims }: Written, material: Material, text: string): Flag[] {
  return claims.flatMap((claim) => {
    const source = findSource(claim.cell, material)
    const said = plain(claim.text)
    if (!said || source === null)
      return [
        flag(
          'claim_without_source',
          `“${claim.text}” supposedly comes from “${claim.cell}”, but this lead has no such cell.`,
        ),
      ]
    if (!plain(source).includes(said))
      return [flag('claim_without_source', `“${claim.text}” is not in the cell “${claim.cell}”.`)]
    if (!plain(text).includes(said))
      return [flag('claim_not_in_text', `“${claim.text}” is listed as a claim but is not in the text.`)]
    return []
  })
}

const listNumbers = (text: string): string[] =>
  (text.normalize('NFKC').match(/\d+(?:[.,'\u00a0\u202f ]\d{3})*(?:[.,]\d+)?/g) ?? []).map((number) =>
    number.replace(/[.,'\u00a0\u202f ](?=\d{3}(?!\d))/g, '').replace(',', '.'),
  )

function numberFlags(text: string, sources: string): Flag[] {
  const without = text.replaceAll(UNSUBSCRIBE_MARK, '')
  const known = new Set(listNumbers(sources))
  const numbers = listNumbers(without).filter((number) => !known.has(number))
  const said = plain(sources)
  const missing = (pattern: RegExp) =>
    (plain(without).match(pattern) ?? []).filter((word) => !hasWord(said, word))
  return [
    ...numbers.map((number) =>
      flag('number_without_source', `The number ${number} is not in the lead’s data.`),
    ),
    ...missing(QUANTITY).map((word) => flag('number_without_source', `“${word}” is not in the lead’s data.`)),
    ...missing(MONTHS_AND_DAYS).map((word) =>
      flag('date_without_source', `“${word}” is not in the lead’s data.`),
    ),
  ]
}

function otherLeadFlags(text: string, sources: string, others: readonly string[]): Flag[] {
  const [said, known] = [plain(text), plain(sources)]
  const isSaid = (name: string) => said.includes(name) && hasWord(said, name) && !hasWord(known, name)
  return others
    .filter((other) => other.trim().length > 2 && isSaid(plain(other)))
    .map((other) => flag('other_lead', `“${other}” belongs to another lead.`))
}

function phraseFlags(text: string, owners: string): Flag[] {
  const unsupported = (list: [RegExp, string][]) =>
    list.filter(([pattern]) => pattern.test(text) && !pattern.test(owners)).map(([, name]) => name)
  return [
    ...LEFTOVERS.filter(([pattern]) => pattern.test(text)).map(([, name]) =>
      flag('banned_phrase', `The text contains something that must not be sent: ${name}.`),
    ),
    ...unsupported(PRETENCE).map((name) =>
      flag('pretence', `The text claims ${name}, which the data does not support.`),
    ),
  ]
}

const orderFlags = (cells: Record<string, string>): Flag[] =>
  Object.entries(cells)
    .filter(([, value]) => givesOrders(value))
    .map(([key]) =>
      flag('cell_gives_orders', `The cell “${key}” contains instructions for an AI, so it was not used.`),
    )
