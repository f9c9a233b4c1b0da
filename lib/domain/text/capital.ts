/** With a capital first letter. */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
