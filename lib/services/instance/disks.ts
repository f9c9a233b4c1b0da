import { stat, statfs } from 'node:fs/promises'
import path from 'node:path'

/** `of`: the settings whose folder is on this disk. */
export type Disk = { of: string; free_bytes: number }

const FOLDERS = ['DATA_DIR', 'FILES_DIR'] as const

/** The disks an instance writes to, each once: database and logs in DATA_DIR, files there or in FILES_DIR. */
export async function readDisks(settings: Record<string, string | undefined>): Promise<Disk[]> {
  const disks = new Map<number, Disk>()
  for (const name of FOLDERS) {
    const folder = settings[name]
    const disk = folder ? await readDisk(path.resolve(/* turbopackIgnore: true */ folder)) : null
    if (!disk) continue
    const { device, free_bytes } = disk
    disks.set(device, { of: [disks.get(device)?.of, name].filter(Boolean).join(' and '), free_bytes })
  }
  return [...disks.values()]
}

/** Uses the nearest existing parent, since the folder for files is created with the first file. Null if that fails. */
async function readDisk(folder: string): Promise<{ device: number; free_bytes: number } | null> {
  try {
    const [{ dev: device }, { bavail, bsize }] = await Promise.all([stat(folder), statfs(folder)])
    return { device, free_bytes: bavail * bsize }
  } catch {
    const above = path.dirname(folder)
    return above === folder ? null : readDisk(above)
  }
}
