import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs/promises'
import path from 'node:path'
import { type FileStorage, isKey, StorageTrouble } from '#lib/providers/storage/port'

/** Files below one folder. A file is there as a whole or not at all, since it is written beside its place and moved. */
export function createDiskStorage(folder: string): FileStorage {
  const root = path.resolve(/* turbopackIgnore: true */ folder)
  const resolvePlace = (key: string) => {
    if (!isKey(key)) throw new StorageTrouble(`"${key}" is no key of a file.`)
    return path.join(/* turbopackIgnore: true */ root, key)
  }
  return {
    name: 'disk',
    async put(key, bytes) {
      const place = resolvePlace(key)
      const beside = `${place}.${randomUUID()}.part`
      await troubled(async () => {
        await fs.mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
        try {
          await fs.writeFile(beside, bytes, { mode: 0o600, flush: true })
          await fs.rename(beside, place)
        } catch (error) {
          await fs.rm(beside, { force: true })
          throw error
        }
      })
      return { location: key }
    },
    read: (location) =>
      troubled(async () => {
        const place = resolvePlace(location)
        try {
          return new Uint8Array(await fs.readFile(place))
        } catch (error) {
          if (isMissing(error)) return null
          throw error
        }
      }),
    stream: (location) =>
      troubled(async () => {
        const handle = await fs.open(resolvePlace(location)).catch((error: unknown) => {
          if (isMissing(error)) return null
          throw error
        })
        return handle ? handle.createReadStream() : null
      }),
    remove: (location) => troubled(() => fs.rm(resolvePlace(location), { force: true })),
    incoming: { by: 'us', take: (key, parts) => takeParts(resolvePlace(key), parts) },
  }
}

/** Written beside its place, and moved there only where nothing is: a file that was judged is not exchanged afterwards. */
async function takeParts(place: string, parts: AsyncIterable<Uint8Array>): Promise<boolean> {
  const beside = `${place}.${randomUUID()}.part`
  await troubled(() => fs.mkdir(path.dirname(place), { recursive: true, mode: 0o700 }))
  const handle = await troubled(() => fs.open(beside, 'wx', 0o600))
  try {
    for await (const part of parts) await troubled(() => handle.writeFile(part))
    await troubled(() => handle.sync())
    return await troubled(() =>
      fs.link(beside, place).then(
        () => true,
        (error: unknown) => {
          if (hasCode(error, 'EEXIST')) return false
          throw error
        },
      ),
    )
  } finally {
    await handle.close()
    await fs.rm(beside, { force: true })
  }
}

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code
const isMissing = (error: unknown) => hasCode(error, 'ENOENT')

async function troubled<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof StorageTrouble) throw cause
    throw new StorageTrouble(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
