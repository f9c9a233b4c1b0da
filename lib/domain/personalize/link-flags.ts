import { type Flag, flag } from '#lib/domain/personalize/flag'
import { UNSUBSCRIBE_MARK } from '#lib/domain/personalize/material'
import { plain } from '#lib/domain/personalize/plain-words'
import { trimEndChars } from '#lib/domain/text/text-end'

const LINK =
  /(?:https?:\/\/|www\.)[^\s<>"')\]]+|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\w@.-])[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|io|co|ai|app|dev|info|biz|example|test|ru|cn|xyz|link|click)(?:\/\S*)?(?!\w)/giu

/** A cell may contain the lead's own site or address; any other link must come from the owner. */
export function linkFlags(text: string, owners: string, cells: Record<string, string>): Flag[] {
  const own = ['email', 'website', 'company_domain', 'domain'].map((key) => cells[key] ?? '').join('\n')
  const allowed = `${plain(owners)}\n${plain(own)}`
  return (text.replaceAll(UNSUBSCRIBE_MARK, ' ').match(LINK) ?? [])
    .map((link) => trimEndChars(link, '.,;:!?'))
    .filter((link) => !allowed.includes(plain(link)))
    .map((link) => flag('link_without_source', `The link or address ${link} is not yours.`))
}

const PLACEHOLDER =
  /\{\{[^}]*\}?\}?|\{%[^%]*%\}|\[(?:your |my |the |insert |first |last |company |recipient |name|title|date|link|topic|x+)[^\]\n]{0,40}\]|<(?:your|first|last|name|company|insert)[^>\n]{0,40}>|%[A-Z_]{3,}%|__[a-z_]{3,}__|\bX{3,}\b|\bTODO\b|\blorem ipsum\b|\b(?:undefined|NaN|null)\b/gi

/** Placeholders that were not filled in. */
export function placeholderFlags(text: string, owners: string): Flag[] {
  const without = text.replaceAll(UNSUBSCRIBE_MARK, ' ')
  return (without.match(PLACEHOLDER) ?? [])
    .filter((placeholder) => /[{}%]/.test(placeholder) || !owners.includes(placeholder))
    .map((placeholder) => flag('placeholder', `“${placeholder}” was never filled in.`))
}
