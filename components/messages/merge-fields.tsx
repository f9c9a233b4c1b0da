/** The merge fields of a text, such as `first_name` or `sender.name`, in order and without repetition. */
export function fieldsUsed(text: string): string[] {
  const names = [...text.matchAll(/\{\{-?\s*([A-Za-z_][\w.]*)/g)].map((match) => match[1] ?? '')
  return [...new Set(names)]
}

const withoutFallbacks = (text: string) =>
  text.replaceAll(/\{\{[^{}]*\}\}/g, (field) => (/\|\s*default\b/.test(field) ? '' : field))

/** Fields without a fallback that no lead column fills. `sender.…` is free-form, so it is never unknown. */
export function unknownFields(text: string, known: readonly string[]): string[] {
  return fieldsUsed(withoutFallbacks(text)).filter(
    (name) => !name.startsWith('sender.') && !known.includes(name),
  )
}

/** A field with an empty fallback, so that a missing value never prevents sending. */
export function mergeField(name: string): string {
  return name === 'first_name' ? '{{ first_name | default: "there" }}' : `{{ ${name} }}`
}

export type Piece = { text: string; field: 'known' | 'unknown' | null }

/** Splits a text at its merge fields, including one still being typed at the end of a line. */
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

/** A field's fallback: null if it has none, undefined if the field is written in another form. */
export function mergeFieldFallback(text: string, name: string): string | null | undefined {
  const [first] = text.matchAll(plainField(name))
  return first ? (first[2] ?? null) : undefined
}

/** Sets the fallback of every simple use of a field; an empty one removes it. */
export function withFallback(text: string, name: string, fallback: string): string {
  const clean = fallback.replaceAll(/["{}\n]/g, '')
  return text.replaceAll(plainField(name), (_, open: string, _old: string, close: string) =>
    clean === '' ? `{{${open} ${name} ${close}}}` : `{{${open} ${name} | default: "${clean}" ${close}}}`,
  )
}
