/** Case, width, kind of quote and runs of space make no difference to what is said. */
export const plain = (text: string): string => {
  // Most names and cells are of ASCII alone, where only runs of space and the backtick can differ.
  const same = /[^ -~]/.test(text)
    ? text
        .normalize('NFKC')
        .replace(/[’‘´]/g, "'")
        .replace(/[“”„]/g, '"')
        .replace(/[‐‑‒–—]/g, '-')
    : text
  return same.replaceAll('`', "'").replace(/\s+/g, ' ').trim().toLowerCase()
}

/** Whether a word stands in a text by itself. */
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

/** `Acme's` is `Acme`. */
export const bare = (word: string) => plain(word).replace(/'s$|'$/, '')
