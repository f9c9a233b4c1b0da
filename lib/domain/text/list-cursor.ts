/** The last row of a page, newest first: its instant in epoch milliseconds, then its id. */
export type ListCursor = { at: number; id: string }

const FORM = /^(\d{1,15})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

/** Opaque to clients: base64url of both. It contains nothing that the rows do not. */
export const listCursor = ({ at, id }: ListCursor): string =>
  Buffer.from(`${at}.${id}`, 'latin1').toString('base64url')

/** Null for anything that `listCursor` did not produce, including other encodings of the same value. */
export function readListCursor(cursor: string): ListCursor | null {
  const [, at = '', id = ''] = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  const read = { at: Number(at), id }
  return id && listCursor(read) === cursor ? read : null
}
