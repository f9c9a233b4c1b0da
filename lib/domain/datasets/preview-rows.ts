/** How much of each sheet a preview reads: all of its rows, or its first ones and little more. */
export const PREVIEW_ROWS = ['all', 'first'] as const
export type PreviewRows = (typeof PREVIEW_ROWS)[number]
