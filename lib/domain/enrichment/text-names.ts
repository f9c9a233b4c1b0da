import { withoutAccents } from '#lib/domain/datasets/columns'
import { splitFullName } from '#lib/domain/enrichment/person-name'

export type FoundName = { full_name: string; evidence: 'address_label' | 'label' | 'signature' }

const MAX_CHARS = 20_000
const NAME = String.raw`\p{Lu}[\p{L}'’.-]{0,40}(?:[ \t]+(?:[\p{L}'’.-]{1,40})){1,4}`
const BEFORE_ADDRESS = new RegExp(String.raw`"?(${NAME})"?[ \t]*<([^<>@\s]{1,64})@[^<>\s]+>`, 'gu')
const LABELLED = new RegExp(
  String.raw`(?:^|[\n;|,(]|\.\s)[ \t]*(?:name|contact|contact person|contact name|ansprechpartner(?:in)?|kontakt|nom|nombre|nome|contacto|contatto)[ \t]*[:=][ \t]*(${NAME})[ \t]*(?=$|[\n;|,)<.])`,
  'giu',
)
const SIGNED = new RegExp(
  String.raw`(?:best(?: regards| wishes)?|kind regards|regards|cheers|sincerely|mit freundlichen grüßen|viele grüße|beste grüße|cordialement|saludos)[ \t]*(?:,[ \t]*)?\n+[ \t]*(${NAME})[ \t]*(?=$|\n)`,
  'giu',
)

/** A name only if the text marks it as one: before an address that spells it, after a label, or below a closing. */
export function nameInText(text: string): FoundName | null {
  const head = text.slice(0, MAX_CHARS)
  for (const [, name = '', local = ''] of head.matchAll(BEFORE_ADDRESS)) {
    if (spells(local, name)) return toFoundName(name, 'address_label')
  }
  for (const [pattern, evidence] of [
    [LABELLED, 'label'],
    [SIGNED, 'signature'],
  ] as const) {
    for (const [, name = ''] of head.matchAll(pattern)) {
      const one = toFoundName(name, evidence)
      if (one) return one
    }
  }
  return null
}

/** Accepted if every word is capitalized and the whole can be split into first and last name. */
function toFoundName(name: string, evidence: FoundName['evidence']): FoundName | null {
  const full_name = name.replace(/\s+/g, ' ').replace(/[.,]$/, '').trim()
  const looksLikeOne = full_name
    .split(' ')
    .every((word) => /^(\p{Lu}|(van|von|der|den|de|la|del|da|di|du|le|el|al|ter|ten|zu)$)/u.test(word))
  return looksLikeOne && splitFullName(full_name).kind === 'split' ? { full_name, evidence } : null
}

/** Whether the local part contains a word of the name, which tells a person's address from a department's. */
function spells(local: string, name: string): boolean {
  const plain = withoutAccents(local.toLowerCase())
  return withoutAccents(name.toLowerCase())
    .split(/[\s.-]+/)
    .some((word) => word.length > 2 && plain.includes(word))
}
