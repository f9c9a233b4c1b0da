/** Most bytes of the archive of a workspace that comes by a request; the command of an operator takes more. */
export const ARCHIVE_BYTES = 2_000_000_000
