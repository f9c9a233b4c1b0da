/** What extraction looks for. Apart from how it does, so that a form needs none of it. */
export const EXTRACTION_KINDS = ['emails', 'phones', 'links', 'names'] as const
export type ExtractionKind = (typeof EXTRACTION_KINDS)[number]
