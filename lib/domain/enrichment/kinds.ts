/** What extraction looks for. A separate file, so that a form need not load the extraction itself. */
export const EXTRACTION_KINDS = ['emails', 'phones', 'links', 'names'] as const
export type ExtractionKind = (typeof EXTRACTION_KINDS)[number]
