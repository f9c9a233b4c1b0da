const MAX_NAME = 255

/** What a copy is called before somebody names it. */
export const copyName = (name: string): string => Array.from(`Copy of ${name}`).slice(0, MAX_NAME).join('')
