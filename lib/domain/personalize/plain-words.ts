/** Normalizes case, width, quotes and runs of spaces for comparison. */
export const plain = (text: string): string => {
  // Most names and cells are plain ASCII, where only runs of spaces and the backtick can differ.
  const same = /[^ -~]/.test(text)
    ? text
        .normalize('NFKC')
        .replace(/[’‘´]/g, "'")
        .replace(/[“”„]/g, '"')
        .replace(/[‐‑‒–—]/g, '-')
    : text
  return same.replaceAll('`', "'").replace(/\s+/g, ' ').trim().toLowerCase()
}

/** Whether a word occurs in a text as a separate word. */
export function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length
    const isWithin = /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at))
    if (!isWithin && !/^[\p{L}\p{N}]/u.test(text.slice(end, end + 2))) return true
  }
  return false
}

export const splitWords = (text: string): string[] =>
  plain(text).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'&]*/gu) ?? []

/** Removes a possessive: `Acme's` becomes `Acme`. */
export const bare = (word: string) => plain(word).replace(/'s$|'$/, '')
