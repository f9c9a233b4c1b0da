import { sentTogether } from '#lib/domain/messages/attached/limits'
import type { Outcome } from '#lib/domain/sending/outcome'
import { AppError, ValidationError } from '#lib/errors'
import { type Loaded, loadAttachments } from '#lib/services/messages/attached/attachments'

type Load = (workspaceId: string, ids: string[]) => Promise<Loaded[]>
type Limits = {
  /** Most bytes of files kept in memory, so that a file is read once for many leads. */
  cached_bytes: number
  /** Most bytes of files in emails under way at a time; each is held in memory several times over. */
  underway_bytes: number
}

const MIB = 1024 * 1024
const LIMITS: Limits = { cached_bytes: 40 * MIB, underway_bytes: 60 * MIB }

/** Attaches the files of steps to their emails: files are read once, and the emails under way are limited by memory. */
export function createCarried(load: Load = loadAttachments, limits: Limits = LIMITS) {
  const read = cached(load, limits.cached_bytes)
  const taken = taking(limits.underway_bytes)
  /** Calls `send` with the files. If one cannot be loaded, nothing is sent, and the outcome says why. */
  return async (
    attached: { workspace_id: string; attachment_ids: string[] } | undefined,
    send: (files: Loaded[]) => Promise<Outcome>,
  ): Promise<Outcome> => {
    if (!attached) return send([])
    const found = await read(attached.workspace_id, attached.attachment_ids).then(
      (files) => ({ files }),
      (error: unknown) => ({ files: null, outcome: notLoaded(error) }),
    )
    return found.files ? taken(sentTogether(found.files), () => send(found.files)) : found.outcome
  }
}
export type Carry = ReturnType<typeof createCarried>

/**
 * If the storage is unavailable, nothing is known about the file, so nothing left. If the file is gone, the send is retried, since the file
 * may be attached again.
 */
function notLoaded(error: unknown): Outcome {
  if (error instanceof AppError && error.code === 'storage_unavailable')
    return { outcome: 'never_left', response: error.message }
  if (!(error instanceof AppError || error instanceof ValidationError)) throw error
  const response = error instanceof AppError ? error.message : 'A file of this email no longer exists.'
  return { outcome: 'refused_for_now', response, blames: 'message' }
}

type Kept = { files: Promise<Loaded[]>; bytes: number }

/** An LRU cache of files up to a number of bytes. A failed read is not cached. */
function cached(load: Load, mostBytes: number): Load {
  const known = new Map<string, Kept>()
  const shrink = () => {
    let all = [...known.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    for (const [oldest, { bytes }] of known) {
      if (all <= mostBytes) return
      all -= bytes
      // A file that is still being read has no size yet.
      if (bytes > 0) known.delete(oldest)
    }
  }
  return (workspaceId, ids) => {
    const key = [workspaceId, ...ids].join()
    const kept = known.get(key) ?? { files: load(workspaceId, ids), bytes: 0 }
    known.delete(key)
    known.set(key, kept)
    kept.files.then(
      (loaded) => {
        kept.bytes = loaded.reduce((sum, { content }) => sum + content.byteLength, 0)
        shrink()
      },
      () => known.get(key) === kept && known.delete(key),
    )
    return kept.files
  }
}

/** Admits work in order of arrival, each once there is room for it. Work larger than the whole room runs alone. */
function taking(room: number) {
  let used = 0
  const waiting: { bytes: number; begin: () => void }[] = []
  const next = () => {
    for (let first = waiting[0]; first && (used === 0 || used + first.bytes <= room); first = waiting[0]) {
      waiting.shift()
      used += first.bytes
      first.begin()
    }
  }
  return async <T>(bytes: number, work: () => Promise<T>): Promise<T> => {
    await new Promise<void>((begin) => {
      waiting.push({ bytes, begin })
      next()
    })
    try {
      return await work()
    } finally {
      used -= bytes
      next()
    }
  }
}
