/** Names that a text merges in, such as `first_name` or `sender.name`, in order of appearance and each once. */
export function fieldsUsed(text: string): string[] {
  const names = [...text.matchAll(/\{\{-?\s*([A-Za-z_][\w.]*)/g)].map((match) => match[1] ?? '')
  return [...new Set(names)]
}

const withoutFallbacks = (text: string) =>
  text.replaceAll(/\{\{[^{}]*\}\}/g, (field) => (/\|\s*default\b/.test(field) ? '' : field))

/**
 * Those that no lead column and no sender profile can fill and that have no fallback. `sender.…` is free-form, so it is
 * never unknown.
 */
export function unknownFields(text: string, known: readonly string[]): string[] {
  return fieldsUsed(withoutFallbacks(text)).filter(
    (name) => !name.startsWith('sender.') && !known.includes(name),
  )
}

/** How a field is written with a fallback, so that an empty cell never leaves a hole. */
export function mergeField(name: string): string {
  return name === 'first_name' ? '{{ first_name | default: "there" }}' : `{{ ${name} }}`
}

export type Piece = { text: string; field: 'known' | 'unknown' | null }

/** A text cut at its merge fields, also at one that is still being typed at the end of a line. */
export function splitMergeFields(text: string, known: readonly string[]): Piece[] {
  return text
    .split(/(\{\{[^{}\n]*(?:\}\}|(?=\n|$)))/)
    .filter((part) => part !== '')
    .map((part) => {
      if (!part.startsWith('{{')) return { text: part, field: null }
      const isUnknown = part.endsWith('}}') && known.length > 0 && unknownFields(part, known).length > 0
      return { text: part, field: isUnknown ? 'unknown' : 'known' }
    })
}

const plainField = (name: string) =>
  new RegExp(
    `\\{\\{(-?)\\s*${name.replaceAll('.', '\\.')}\\s*(?:\\|\\s*default:\\s*"([^"]*)"\\s*)?(-?)\\}\\}`,
    'g',
  )

/** What stands where a lead has nothing: null without a fallback, undefined where the field is written in another way. */
export function mergeFieldFallback(text: string, name: string): string | null | undefined {
  const [first] = text.matchAll(plainField(name))
  return first ? (first[2] ?? null) : undefined
}

/** Every plain mention of a field with this fallback; an empty one takes it away. */
export function withFallback(text: string, name: string, fallback: string): string {
  const clean = fallback.replaceAll(/["{}\n]/g, '')
  return text.replaceAll(plainField(name), (_, open: string, _old: string, close: string) =>
    clean === '' ? `{{${open} ${name} ${close}}}` : `{{${open} ${name} | default: "${clean}" ${close}}}`,
  )
}
