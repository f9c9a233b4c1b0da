type Named = { user_id: string; name: string }
/** A piece of a text; `user_id` is set if it is a mention. */
export type Piece = { text: string; user_id?: string }

const isDigit = (char: string) => char >= '0' && char <= '9'
/** A letter is a character with two cases, which covers all that occurs in names and addresses. */
const isWordPart = (char = ' ') => char.toLowerCase() !== char.toUpperCase() || isDigit(char)

/**
 * Splits a text so that each mention (`@name`) is a piece of its own. If two names begin alike, the longer
 * one counts.
 */
export function splitMentions(text: string, people: Named[]): Piece[] {
  const lowered = text.toLowerCase()
  // Letters that become longer in lower case would shift all later positions.
  const searched = lowered.length === text.length ? lowered : text
  const isTaken = new Array<boolean>(text.length).fill(false)
  const mentions: { start: number; end: number; user_id: string }[] = []
  for (const { user_id, name } of people.toSorted((a, b) => b.name.length - a.name.length)) {
    const needle = `@${name.toLowerCase()}`
    if (name === '') continue
    for (
      let start = searched.indexOf(needle);
      start >= 0;
      start = searched.indexOf(needle, start + needle.length)
    ) {
      const end = start + needle.length
      // A longer name has already taken the beginning or the end of an overlapping match.
      if (isWordPart(searched[start - 1]) || isWordPart(searched[end])) continue
      if (isTaken[start] || isTaken[end - 1]) continue
      isTaken.fill(true, start, end)
      mentions.push({ start, end, user_id })
    }
  }
  return cut(
    text,
    mentions.toSorted((a, b) => a.start - b.start),
  )
}

function cut(text: string, mentions: { start: number; end: number; user_id: string }[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { start, end, user_id } of mentions) {
    if (start > at) pieces.push({ text: text.slice(at, start) })
    pieces.push({ text: text.slice(start, end), user_id })
    at = end
  }
  if (at < text.length) pieces.push({ text: text.slice(at) })
  return pieces
}

/** The users mentioned in a text, each once. */
export const mentionedIn = (text: string, people: Named[]): string[] => [
  ...new Set(splitMentions(text, people).flatMap(({ user_id }) => user_id ?? [])),
]
