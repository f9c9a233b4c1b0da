import { execFile } from 'node:child_process'
import * as fs from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { restore } from '#lib/db/restore'
import { readTar, TAR_END, tarEntry } from '#lib/db/tar'
import { env } from '#lib/env'
import { createDiskStorage } from '#lib/providers/storage/disk'
import { ROOT } from '#tests/support/code/source-files'
import { backupPlaces, changed, contents, from, options } from '#tests/support/files/backups'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'
import { aUser } from '#tests/support/scenes/factories'
import { MONDAY } from '#tests/support/scenes/launched'

const { connected, anEmptyDatabase, archive, closeLast } = backupPlaces()
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) removeThrowaway(folder)
})

/** A folder of files, like an instance's. */
function aFolder(files: Record<string, string> = {}) {
  const throwaway = throwawayFolder()
  folders.push(throwaway)
  const folder = path.join(throwaway, 'files')
  fs.mkdirSync(folder)
  for (const [location, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, location)), { recursive: true })
    fs.writeFileSync(path.join(folder, location), text)
  }
  const holds = () =>
    Object.fromEntries(
      fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => path.join(parentPath, name))
        .map((file) => [path.relative(folder, file), fs.readFileSync(file, 'utf8')])
        .toSorted(),
    )
  return { folder, holds, storage: createDiskStorage(folder) }
}

/** A post with images at these locations. */
async function aPost(...places: { storage: string; location: string }[]) {
  const { workspace_id, user_id } = await aUser()
  const { id: post_id } = await db.socialPost.create({
    data: { workspace_id, user_id, text: 'Look', status: 'draft' },
  })
  const image = { filename: 'a.png', content_type: 'image/png', size_bytes: 1, width: 1, height: 1 }
  await db.socialPostAttachment.createMany({
    data: places.map((place) => ({ post_id, workspace_id, ...image, ...place })),
  })
  return { post_id }
}
const place = () => `posts/${crypto.randomUUID()}.png`

test('files of the instance go with the rows that name them, and come back byte for byte', async () => {
  const [first, second, gone, elsewhere, nobodys] = [place(), place(), place(), place(), place()]
  await aPost({ storage: 'disk', location: first }, { storage: 'disk', location: second })
  await aPost({ storage: 'disk', location: gone }, { storage: 'blob', location: elsewhere })
  const here = aFolder({ [first]: 'one', [second]: '', [nobodys]: 'x' })
  const bytes = await archive({ files: here.storage })

  const { client } = await anEmptyDatabase()
  const there = aFolder()
  expect((await restore(client, from(bytes), { ...options, files: there.storage })).files).toBe(2)
  expect(there.holds()).toEqual(
    Object.fromEntries(
      [
        [first, 'one'],
        [second, ''],
      ].toSorted(),
    ),
  )

  // A second restore over the existing data: a file that only the replaced rows named is removed.
  await client.query("UPDATE social_post_attachments SET location = 'posts/newer.png' WHERE location = $1", [
    first,
  ])
  await there.storage.put('posts/newer.png', Buffer.from('newer'), 'image/png')
  await there.storage.put('posts/other.png', Buffer.from('of nobody here'), 'image/png')
  await there.storage.remove(first)
  await restore(client, from(bytes), { ...options, files: there.storage, replace: true })
  expect(there.holds()).toEqual(
    Object.fromEntries(
      [
        [first, 'one'],
        [second, ''],
        ['posts/other.png', 'of nobody here'],
      ].toSorted(),
    ),
  )
})

test('a backup whose files are not what its manifest says changes neither rows nor files', async () => {
  const [first, second] = [place(), place()]
  await aPost({ storage: 'disk', location: first }, { storage: 'disk', location: second })
  const bytes = await archive({ files: aFolder({ [first]: 'one', [second]: 'two' }).storage })
  const { client } = await anEmptyDatabase()
  const there = aFolder({ [second]: 'two' })
  const before = there.holds()
  const broken = [
    await changed(bytes, (name, text) => (name === `files/${first}` ? 'other' : text)),
    await changed(bytes, (name, text) =>
      name === 'manifest.json' ? text.replace(second, 'posts/x.png') : text,
    ),
    bytes.subarray(0, bytes.lastIndexOf('manifest.json')),
  ]
  for (const one of broken)
    await expect(restore(client, from(one), { ...options, files: there.storage })).rejects.toThrow(/damaged/)
  const outside = await changed(bytes, (name, text) =>
    name === 'manifest.json' ? text.replaceAll(first, '../../out.png') : text,
  )
  const entries: Uint8Array[] = []
  for await (const { name, bytes: inside } of readTar(from(outside)))
    entries.push(
      ...tarEntry({ name: name === `files/${first}` ? 'files/../../out.png' : name, bytes: inside }, MONDAY),
    )
  await expect(
    restore(client, from(Buffer.concat([...entries, TAR_END])), { ...options, files: there.storage }),
  ).rejects.toThrow(/damaged/)
  expect(there.holds()).toEqual(before)
  expect(await contents(client)).toEqual({})
})

test('a file that is larger than a reader takes at once goes with the backup and comes back', async () => {
  const [large, small] = [place(), place()]
  await aPost({ storage: 'disk', location: large }, { storage: 'disk', location: small })
  const here = aFolder({ [large]: 'begins', [small]: 'small' })
  const bytes_before = 70 * 1024 * 1024
  // Most of the file is a hole.
  fs.truncateSync(path.join(here.folder, large), bytes_before)
  fs.appendFileSync(path.join(here.folder, large), 'ends')
  const bytes = await archive({ files: here.storage })
  const { client } = await anEmptyDatabase()
  const there = aFolder()
  expect((await restore(client, from(bytes), { ...options, files: there.storage })).files).toBe(2)
  const [was, is] = [here, there].map(({ folder }) => fs.readFileSync(path.join(folder, large)))
  expect(is?.equals(was ?? Buffer.alloc(0))).toBe(true)
  expect(fs.readFileSync(path.join(there.folder, small), 'utf8')).toBe('small')

  // A file whose end is missing is removed again.
  const cut = bytes.subarray(0, bytes.lastIndexOf(`files/${large}`) + bytes_before / 2)
  const empty = aFolder()
  const other = (await anEmptyDatabase()).client
  await expect(restore(other, from(cut), { ...options, files: empty.storage })).rejects.toThrow(/damaged/)
  expect(empty.holds()).toEqual({})
})

test('a backup from before files were kept in it is restored as it is', async () => {
  const old = await changed(await archive(), (name, text) => {
    if (name === 'backup.json') return text.replace('"format": 2', '"format": 1')
    return name === 'manifest.json' ? JSON.stringify({ ...JSON.parse(text), files: undefined }) : text
  })
  const { client } = await anEmptyDatabase()
  expect((await restore(client, from(old), { ...options, files: aFolder().storage })).files).toBe(0)
})

/** Runs one of the commands that people type; returns its output and exit status. */
function command(script: string, args: string[], given: Record<string, string>) {
  const options = { cwd: ROOT, env: { ...process.env, ...given } }
  return new Promise<{ code: number; said: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [`scripts/${script}.ts`, ...args],
      options,
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, said: `${stdout}${stderr}` }),
    )
  })
}

test('the commands do it: out of a database and a data folder, into others', async () => {
  const location = place()
  await aPost({ storage: 'disk', location })
  const folders = ['old', 'new'].map((name) => path.join(aFolder().folder, name))
  const [from = '', into = ''] = folders
  fs.mkdirSync(path.join(from, 'files/posts'), { recursive: true })
  fs.writeFileSync(path.join(from, 'files', location), 'a picture')
  const file = path.join(from, 'opener.tar.gz')
  const key = { ENCRYPTION_KEY: env().ENCRYPTION_KEY }
  const source = { DATABASE_URL: env().DATABASE_URL, DATA_DIR: from, ...key }
  const written = await command('backup', [file], source)
  expect(written).toMatchObject({ code: 0, said: expect.stringContaining(`Wrote ${file}`) })
  // Only its owner can read it, and it is not overwritten.
  expect(fs.statSync(file).mode & 0o077).toBe(0)
  expect(await command('backup', [file], source)).toMatchObject({
    code: 1,
    said: expect.stringContaining('exists already'),
  })

  const { url } = await anEmptyDatabase()
  await closeLast()
  const target = { DATABASE_URL: url, DATA_DIR: into, ...key }
  const restored = await command('restore', [file, '--running'], target)
  expect(restored).toMatchObject({ code: 0, said: expect.stringMatching(/Restored \d+ rows .* and 1 files/) })
  expect(fs.readFileSync(path.join(into, 'files', location), 'utf8')).toBe('a picture')
  expect(await contents(await connected(url))).toEqual(await contents(await connected(env().DATABASE_URL)))
  await closeLast()
  await closeLast()
  expect(await command('restore', [file], target)).toMatchObject({
    code: 1,
    said: expect.stringContaining('not empty'),
  })
})

test('a backup that cannot be read is one sentence, and leaves nothing running', async () => {
  const { folder } = aFolder()
  const { url } = await anEmptyDatabase()
  await closeLast()
  const target = { DATABASE_URL: url, DATA_DIR: folder, ENCRYPTION_KEY: env().ENCRYPTION_KEY }
  expect(await command('restore', [folder], target)).toEqual({
    code: 1,
    said: `${folder} is a folder: name the file of a backup.\n`,
  })
})

test('of two that write one file at once, one does, and what it wrote is whole', async () => {
  const folder = aFolder().folder
  const file = path.join(folder, 'opener.tar.gz')
  const given = {
    DATABASE_URL: env().DATABASE_URL,
    DATA_DIR: folder,
    ENCRYPTION_KEY: env().ENCRYPTION_KEY,
  }
  const holder = await connected(env().DATABASE_URL)
  await holder.query('BEGIN; LOCK TABLE campaigns IN ACCESS EXCLUSIVE MODE')
  const both = Promise.all([command('backup', [file], given), command('backup', [file], given)])
  const waiting = `SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND relation = 'campaigns'::regclass`
  const count = async () => (await holder.query<{ count: number }>(waiting)).rows[0]?.count
  await expect.poll(count, { timeout: 60_000 }).toBe(2)
  await holder.query('COMMIT')
  const [done, refused] = (await both).toSorted((a, b) => a.code - b.code)
  expect(done).toMatchObject({ code: 0, said: expect.stringContaining(`Wrote ${file}`) })
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('exists already') })
  expect(fs.readdirSync(folder)).toEqual(['opener.tar.gz'])
  const names: string[] = []
  for await (const { name } of readTar(from(gunzipSync(fs.readFileSync(file))))) names.push(name)
  expect(names.at(-1)).toBe('manifest.json')
}, 120_000)
