/**
 * Removes all of `chars` from the end of a text. A regular expression with a run before `$` starts over at each character of
 * every run, which takes quadratic time; this looks at the end only.
 */
export function trimEndChars(text: string, chars: string): string {
  let end = text.length
  while (end > 0 && chars.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** The same at both ends. */
export function trimChars(text: string, chars: string): string {
  let from = 0
  while (from < text.length && chars.includes(text.charAt(from))) from += 1
  return trimEndChars(text.slice(from), chars)
}
