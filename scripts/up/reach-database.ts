import { existsSync } from 'node:fs'
import path from 'node:path'
import { freePort } from '#lib/db/free-port'
import { openKeys } from '#lib/services/instance/open-keys'
import { startEmbedded } from '#scripts/up/database'
import { takeLock } from '#scripts/up/lock'
import { isElsewhere, readRunFile } from '#scripts/up/run-file'
import { readSecrets } from '#scripts/up/secrets'
import type { Settings } from '#scripts/up/settings'
import { Trouble } from '#scripts/up/trouble'

export type Reached = { url: string; leave: () => Promise<void> }

/**
 * The database of an instance, whether it runs or not: that of DATABASE_URL, that of the running instance, or the embedded one,
 * started for as long as it is needed. Puts the keys into the environment. With `alone` it must not be in use.
 */
export async function reachDatabase(settings: Settings, how: { alone: boolean }): Promise<Reached> {
  const reached = await reach(settings, how)
  try {
    await openKeys()
  } catch (error) {
    await reached.leave()
    throw error
  }
  return reached
}

async function reach(settings: Settings, { alone }: { alone: boolean }): Promise<Reached> {
  const { dataFolder } = settings
  const run = readRunFile(dataFolder)
  if (run && alone)
    throw new Trouble(`Opener runs on ${dataFolder} (${run.url}): stop it first. Nothing was changed.`)
  const given = process.env.DATABASE_URL
  if (run && !isElsewhere(run, given)) {
    Object.assign(process.env, run.env)
    return { url: run.env.DATABASE_URL ?? '', leave: async () => undefined }
  }
  if (given && process.env.ENCRYPTION_KEY) return { url: given, leave: async () => undefined }
  if (!given && !alone && !existsSync(path.join(dataFolder, 'postgres.json')))
    throw new Trouble(`${dataFolder} holds no database: name its folder with DATA_DIR, or set DATABASE_URL.`)
  Object.assign(process.env, readSecrets(dataFolder, process.env))
  if (given) return { url: given, leave: async () => undefined }
  const lock = takeLock(path.join(dataFolder, 'up.lock'))
  if ('heldBy' in lock) throw new Trouble(`Opener is starting on ${dataFolder}: wait for it, or stop it.`)
  const postgres = await startEmbedded(dataFolder, await freePort()).catch((error: unknown) => {
    lock.release()
    throw error
  })
  process.env.DATABASE_URL = postgres.url
  return {
    url: postgres.url,
    leave: async () => {
      await postgres.stop()
      lock.release()
    },
  }
}
