/** How many rows of each sheet a preview reads: all, or only the first ones. */
export const PREVIEW_ROWS = ['all', 'first'] as const
export type PreviewRows = (typeof PREVIEW_ROWS)[number]
