import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { whyNotStarted } from '#lib/db/embedded'
import { launch } from '#scripts/up/child'
import { self, takeLock } from '#scripts/up/lock'
import { readRunFile, runFileKeeper } from '#scripts/up/run-file'
import { ROOT } from '#tests/support/code/source-files'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'

const folder = throwawayFolder()
afterAll(() => removeThrowaway(folder))
const inFolder = (name: string) => path.join(folder, name)

test('a run file that cannot be written ends nobody: it is said once, and written once it can be', async () => {
  const said: string[] = []
  const { keep, end } = runFileKeeper(folder, (line) => said.push(line), 20)
  // A folder in its place has the effect of a full disk: writing fails.
  fs.mkdirSync(inFolder('run.json.new'))
  const run = { ...self(), url: 'http://127.0.0.1:1', port: 1, children: {}, env: {} }
  keep(() => run)
  keep(() => ({ ...run, port: 2 }))
  expect(said).toHaveLength(1)
  expect(readRunFile(folder)).toBeNull()
  fs.rmdirSync(inFolder('run.json.new'))
  await vi.waitFor(() => expect(readRunFile(folder)).toMatchObject({ port: 2 }), 30_000)
  expect(said).toHaveLength(2)
  end()
})

test('a log that cannot be opened keeps no service from starting', async () => {
  fs.writeFileSync(inFolder('idle.mjs'), 'process.exit(7)')
  const said: string[] = []
  const service = { name: 'idle', args: [inFolder('idle.mjs')], env: process.env, log: folder }
  const hear = { say: (line: string) => said.push(line), changed: () => undefined }
  const child = launch({ ...service, isReady: async () => true }, hear)
  expect(await once(child, 'exit')).toEqual([7, null])
  expect(said).toEqual([expect.stringContaining('cannot be written')])
})

test('a lock that finds no room leaves nothing behind', () => {
  const place = inFolder('locks')
  const common: typeof fs = createRequire(import.meta.url)('node:fs')
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const write = vi.spyOn(common, 'writeFileSync').mockImplementationOnce((file) => {
    // The file is created, and then there is no room for its content.
    fs.closeSync(fs.openSync(String(file), 'w'))
    throw full
  })
  syncBuiltinESMExports()
  expect(() => takeLock(path.join(place, 'up.lock'))).toThrow(full)
  write.mockRestore()
  syncBuiltinESMExports()
  expect(fs.readdirSync(place)).toEqual([])
})

/** On Linux /dev/full acts as a file on a full disk; elsewhere the file has room. */
const FULL = fs.existsSync('/dev/full') ? '/dev/full' : inFolder('out.log')

test('a process goes on and ends where none of its lines finds room', async () => {
  const script = `
    import pino from 'pino'
    import { logOutput } from '#lib/log-output'
    const log = pino(logOutput())
    let turns = 0
    setInterval(() => {
      log.info('a line')
      console.log('a line')
      console.error('a line')
      if (++turns === 5) process.exit(7)
    }, 5)`
  const out = fs.openSync(FULL, 'a')
  const guard = pathToFileURL(path.join(ROOT, 'scripts/up/full-disk.mjs')).href
  const args = ['--import', guard, '--input-type=module', '-e', script]
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', out, out] })
  fs.closeSync(out)
  expect(await once(child, 'exit')).toEqual([7, null])
})

test('a database that finds no room says so, also where its log found none either', () => {
  const GIB = 1024 ** 3
  const said = '2026-03-02 10:00 UTC [7] LOG:  database system is shut down\n'
  const full = 'PANIC:  could not write to file "pg_wal/xlogtemp.7": No space left on device\n'
  const what = 'did not start on port 1'
  expect(whyNotStarted(full + said, what, { free_bytes: GIB })).toMatch(/^The disk is full \(1024 MiB left\)/)
  expect(whyNotStarted(said, what, { free_bytes: 12 })).toBe(
    'The disk is full (0 MiB left): the database has no room.',
  )
  expect(whyNotStarted(said, what, { free_bytes: GIB })).toBe(
    `The embedded Postgres did not start on port 1: ${said.trim()}`,
  )
})
