/** Names that a text merges in, such as `first_name` or `sender.name`, in order of appearance and each once. */
export function fieldsUsed(text: string): string[] {
  const found = [...text.matchAll(/\{\{-?\s*([A-Za-z_][\w.]*)/g)].map((match) => match[1] ?? '')
  return [...new Set(found)]
}

/**
 * Those that no lead column and no sender profile can fill and that have no fallback. `sender.…` is free-form, so it is
 * never unknown.
 */
export function unknownFields(text: string, known: readonly string[]): string[] {
  const withoutFallback = text.replaceAll(/\{\{[^}]*\|\s*default\b[^}]*\}\}/g, '')
  return fieldsUsed(withoutFallback).filter((name) => !name.startsWith('sender.') && !known.includes(name))
}

/** How a field is written with a fallback, so that an empty cell never leaves a hole. */
export function mergeField(name: string): string {
  return name === 'first_name' ? '{{ first_name | default: "there" }}' : `{{ ${name} }}`
}
