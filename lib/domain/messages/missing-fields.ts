const BEGIN = 'No value and no fallback for '

/** Why a text cannot be rendered for a lead: it has nothing in these fields. */
export const missingFields = (names: readonly string[]): string => BEGIN + names.join(', ')

/** Whether it was that, of the reason that is kept with a step. */
export const lacksFields = (reason: string): boolean => reason.startsWith(BEGIN)
