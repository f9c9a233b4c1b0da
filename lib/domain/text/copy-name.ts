const MAX_NAME = 255

/** The initial name of a copy. */
export const copyName = (name: string): string => Array.from(`Copy of ${name}`).slice(0, MAX_NAME).join('')
