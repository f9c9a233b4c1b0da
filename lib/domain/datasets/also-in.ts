/** Where else the address of a row occurs. */
export const ALSO_IN = ['earlier_row', 'other_dataset', 'campaign'] as const
export type AlsoIn = (typeof ALSO_IN)[number]
