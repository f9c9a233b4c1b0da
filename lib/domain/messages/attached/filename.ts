const MOST_CHARACTERS = 120
/** Endings are short; what is longer is part of the name. */
const LONGEST_ENDING = 10

/** Turns the reading direction, is not seen, or ends a line: a name must read as what it is. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u00ad\u200b\u2060\ufeff]/gu
/** No file of Windows has these in its name. */
const UNSAVABLE = /[<>:"|?*]/g

const isEdge = (char: string | undefined) => char === '.' || char === ' '

/** Windows leaves dots and spaces off the end, so that `a.exe.` is a program; in front, a dot hides a file. */
function withoutEdges(name: string): string {
  let from = 0
  let to = name.length
  while (from < to && isEdge(name[from])) from += 1
  while (to > from && isEdge(name[to - 1])) to -= 1
  return name.slice(from, to)
}

/** What stands behind the last dot, in lower case and in plain letters; empty where there is none. */
export function fileEnding(name: string): string {
  const plain = name.normalize('NFKC')
  const dot = plain.lastIndexOf('.')
  const ending = dot < 0 ? '' : plain.slice(dot + 1).toLowerCase()
  return ending.length > LONGEST_ENDING ? '' : ending
}

/** The name under which a file travels: the last part of whatever path it came with, of letters that are seen. */
export function attachmentName(given: string): string {
  const last = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const seen = last.replace(UNSEEN, '').replace(UNSAVABLE, '_').replace(/\s/g, ' ')
  const name = withoutEdges(seen) || 'attachment'
  if (name.length <= MOST_CHARACTERS) return name
  const ending = fileEnding(name)
  const kept = ending ? `.${ending}` : ''
  return `${withoutEdges(name.slice(0, MOST_CHARACTERS - kept.length)).toWellFormed()}${kept}`
}
