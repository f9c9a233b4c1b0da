const MOST_CHARACTERS = 120
/** The longest file extension; anything longer is part of the name. */
const LONGEST_ENDING = 10

/** Characters that change the reading direction, are invisible, or end a line: a name must read as what it is. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u00ad\u200b\u2060\ufeff]/gu
/** Characters that Windows does not allow in file names. */
const UNSAVABLE = /[<>:"|?*]/g

const isEdge = (char: string | undefined) => char === '.' || char === ' '

/** Windows drops dots and spaces at the end, so `a.exe.` is a program; a leading dot hides a file. */
function withoutEdges(name: string): string {
  let from = 0
  let to = name.length
  while (from < to && isEdge(name[from])) from += 1
  while (to > from && isEdge(name[to - 1])) to -= 1
  return name.slice(from, to)
}

/** The extension after the last dot, in lower case and plain letters; empty if there is none. */
export function fileEnding(name: string): string {
  const plain = name.normalize('NFKC')
  const dot = plain.lastIndexOf('.')
  const ending = dot < 0 ? '' : plain.slice(dot + 1).toLowerCase()
  return ending.length > LONGEST_ENDING ? '' : ending
}

/** The name under which a file is sent: the last part of its path, with visible characters only. */
export function attachmentName(given: string): string {
  const last = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const seen = last.replace(UNSEEN, '').replace(UNSAVABLE, '_').replace(/\s/g, ' ')
  const name = withoutEdges(seen) || 'attachment'
  if (name.length <= MOST_CHARACTERS) return name
  const ending = fileEnding(name)
  const kept = ending ? `.${ending}` : ''
  return `${withoutEdges(name.slice(0, MOST_CHARACTERS - kept.length)).toWellFormed()}${kept}`
}
