const BEGIN = 'No value and no fallback for '

/** Why a text cannot be rendered for a lead: these fields are empty. */
export const missingFields = (names: readonly string[]): string => BEGIN + names.join(', ')

/** Whether a step's stored reason is that one. */
export const lacksFields = (reason: string): boolean => reason.startsWith(BEGIN)
