/** Of a mail its beginning: attachments are not kept anyway. */
export const MAX_RAW = 1024 * 1024
/** Of a header block no more is read, wherever it stands: mail servers cut there too. */
export const MAX_HEAD = 128 * 1024
/** Of one header, folded lines and all. */
export const MAX_HEADER = 32 * 1024
export const MAX_PARTS = 500
export const MAX_DEPTH = 50
/** RFC 5322 allows no longer line, and nobody reads one. */
export const MAX_SUBJECT = 998
export const MAX_PEOPLE = 100
export const MAX_NAME = 320
/** No rule looks further into a text: the words that matter stand at its beginning, and the work stays bounded. */
export const MAX_TEXT = 64 * 1024
export const MAX_HTML = 256 * 1024
