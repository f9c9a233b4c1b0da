/** With a large first letter, as words stand by themselves. */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
