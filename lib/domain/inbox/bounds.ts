/** Only the beginning of a mail is kept; attachments are not stored anyway. */
export const MAX_RAW = 1024 * 1024
/** Most bytes of a header block that are read, wherever it is; mail servers cut there too. */
export const MAX_HEAD = 128 * 1024
/** Most bytes of one header including its continuation lines. */
export const MAX_HEADER = 32 * 1024
export const MAX_PARTS = 500
export const MAX_DEPTH = 50
/** RFC 5322 allows no longer line. */
export const MAX_SUBJECT = 998
export const MAX_PEOPLE = 100
export const MAX_NAME = 320
/** No rule reads further into a text. What matters stands at the beginning, and the work stays bounded. */
export const MAX_TEXT = 64 * 1024
export const MAX_HTML = 256 * 1024
