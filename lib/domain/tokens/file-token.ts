import { readSignedToken, signedToken, uuidBytes, uuidText } from '#lib/domain/tokens/signed-token'

/** A file and its workspace: a URL opens no file of another workspace, whatever id it contains. */
export type FileIds = { workspace_id: string; file_id: string }

const VERSION = 'f1'
const DAY_MS = 86_400_000

/**
 * The token in a file's URL. Valid for one to two days, until the end of a day: so the URL is the same all day and browsers
 * cache the file. Ids are lower-case UUIDs, `now` epoch milliseconds.
 */
export function fileToken({ workspace_id, file_id }: FileIds, now: number, key: Uint8Array): string {
  const until = Buffer.alloc(6)
  until.writeUIntBE((Math.floor(now / DAY_MS) + 2) * DAY_MS, 0, 6)
  const ids = [workspace_id, file_id].map((id) => uuidBytes(id) ?? Buffer.alloc(16))
  return signedToken(VERSION, Buffer.concat([...ids, until]), key)
}

/** Null for anything not made by `fileToken` with this key, and for an expired token. */
export function readFileToken(token: string, now: number, key: Uint8Array): FileIds | null {
  const payload = readSignedToken(VERSION, token, key)
  if (payload?.length !== 38 || payload.readUIntBE(32, 6) <= now) return null
  return { workspace_id: uuidText(payload.subarray(0, 16)), file_id: uuidText(payload.subarray(16, 32)) }
}
