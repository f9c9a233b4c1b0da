/** Case, width, kind of quote and runs of space make no difference to what is said. */
export const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[’‘`´]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[‐‑‒–—]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

export const hasWord = (text: string, word: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'u').test(
    text,
  )

export const wordsOf = (text: string): string[] =>
  plain(text).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'&]*/gu) ?? []

/** `Acme's` is `Acme`. */
export const bare = (word: string) => plain(word).replace(/'s$|'$/, '')
