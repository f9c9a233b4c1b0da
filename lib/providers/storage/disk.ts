import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs/promises'
import path from 'node:path'
import { type FileStorage, isKey, StorageTrouble } from '#lib/providers/storage/port'

type Opened = { size_bytes: number; parts: AsyncIterable<Uint8Array> }

export type DiskStorage = FileStorage & {
  /** Null if there is no such file. The parts must be read, which closes the file. */
  open(location: string): Promise<Opened | null>
  has(location: string): Promise<boolean>
  /** Like `put`, for parts as they arrive. An error thrown by `parts` is thrown on. */
  write(location: string, parts: AsyncIterable<Uint8Array>): Promise<void>
}

/** Files below one folder. A file exists as a whole or not at all: it is written beside its place and moved there. */
export function createDiskStorage(folder: string): DiskStorage {
  const root = path.resolve(/* turbopackIgnore: true */ folder)
  const resolvePlace = (key: string) => {
    if (!isKey(key)) throw new StorageTrouble(`"${key}" is no key of a file.`)
    return path.join(/* turbopackIgnore: true */ root, key)
  }
  const open = (location: string) =>
    troubled(async () => {
      const handle = await nullWhereMissing(fs.open(resolvePlace(location)))
      if (!handle) return null
      return { size_bytes: (await handle.stat()).size, parts: handle.createReadStream() }
    })
  const write = async (key: string, parts: Parts) => {
    const place = resolvePlace(key)
    await writeBeside(place, parts, (beside) => fs.rename(beside, place))
  }
  return {
    name: 'disk',
    async put(key, bytes) {
      await write(key, [bytes])
      return { location: key }
    },
    read: (location) =>
      troubled(async () => {
        const bytes = await nullWhereMissing(fs.readFile(resolvePlace(location)))
        return bytes && new Uint8Array(bytes)
      }),
    stream: async (location) => (await open(location))?.parts ?? null,
    open,
    has: (location) =>
      troubled(async () => (await nullWhereMissing(fs.stat(resolvePlace(location)))) !== null),
    write,
    remove: (location) => troubled(() => fs.rm(resolvePlace(location), { force: true })),
    incoming: { by: 'us', take: (key, parts) => takeParts(resolvePlace(key), parts) },
  }
}

type Parts = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Moved to its place only if nothing is there: a file that was checked is never replaced. */
const takeParts = (place: string, parts: Parts): Promise<boolean> =>
  writeBeside(place, parts, (beside) =>
    fs.link(beside, place).then(
      () => true,
      (error: unknown) => {
        if (hasCode(error, 'EEXIST')) return false
        throw error
      },
    ),
  )

async function writeBeside<T>(
  place: string,
  parts: Parts,
  settle: (beside: string) => Promise<T>,
): Promise<T> {
  const beside = `${place}.${randomUUID()}.part`
  await troubled(() => fs.mkdir(path.dirname(place), { recursive: true, mode: 0o700 }))
  const handle = await troubled(() => fs.open(beside, 'wx', 0o600))
  try {
    for await (const part of parts) await troubled(() => handle.writeFile(part))
    await troubled(() => handle.sync())
    return await troubled(() => settle(beside))
  } finally {
    await handle.close()
    await fs.rm(beside, { force: true })
  }
}

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code
const nullWhereMissing = <T>(opened: Promise<T>): Promise<T | null> =>
  opened.catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  })

async function troubled<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof StorageTrouble) throw cause
    throw new StorageTrouble(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
