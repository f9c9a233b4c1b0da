import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { inspectProcess, waitForExit } from '#lib/db/processes'
import { Env } from '#lib/env'
import { onlyOfTheHost, runBuild } from '#scripts/up/build'
import { endQuietly, runQuietly } from '#scripts/up/quiet'
import { ROOT } from '#scripts/up/settings'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'

const folder = throwawayFolder()
afterAll(() => removeThrowaway(folder))

/** Like a build: it takes a while, and writes its pid to a file. */
function aLongWork(name: string) {
  const [script, said] = [path.join(folder, `${name}.mjs`), path.join(folder, `${name}.pid`)]
  fs.writeFileSync(
    script,
    `import fs from 'node:fs'
     fs.writeFileSync('${said}.new', String(process.pid))
     fs.renameSync('${said}.new', '${said}')
     setInterval(() => {}, 1000)`,
  )
  const begun = async () => {
    await vi.waitFor(() => expect(fs.existsSync(said)).toBe(true), 30_000)
    return Number(fs.readFileSync(said, 'utf8'))
  }
  return { script, begun }
}

test('a build is given nothing of the instance that asks for it', async () => {
  const instance = Object.fromEntries(Object.keys(Env.shape).map((name) => [name, 'of the instance']))
  const host = { PATH: '/usr/bin', HOME: '/home/ana', HTTPS_PROXY: 'http://proxy.test', NEXT_PUBLIC_X: '1' }
  expect(await onlyOfTheHost({ ...instance, ...host, NODE_ENV: 'production' })).toEqual(host)
})

test('what is run quietly answers what it wrote, and says of a failure what it said', async () => {
  const env = { ...process.env, NODE_OPTIONS: '' }
  expect(await runQuietly(['-p', '6 * 7'], env)).toBe('42\n')
  await expect(runQuietly(['-e', 'console.error("no room"); process.exit(3)'], env)).rejects.toThrow(
    'failed:\nno room',
  )
})

test('a build that ends well and made nothing is told, also where an earlier one made something', async () => {
  const made = path.join(folder, 'BUILD_ID')
  await runBuild(['-e', `require('node:fs').writeFileSync('${made}', '1')`], process.env, made)
  for (const said of ['console.log("pages: 3")', ''])
    await expect(runBuild(['-e', said], process.env, made)).rejects.toThrow(
      /^The build ended without a result: .+BUILD_ID is missing\. .+ It said(:\npages: 3| nothing\.)$/,
    )
})

test('what is run quietly can have workers of its own, as a build has', async () => {
  const [parent, worker] = ['parent', 'worker'].map((name) => path.join(folder, `${name}.mjs`))
  fs.writeFileSync(
    `${worker}`,
    `process.on('message', (asked) => process.send(asked * 7, () => process.exit()))`,
  )
  fs.writeFileSync(
    `${parent}`,
    `import { fork } from 'node:child_process'
     const worker = fork('${worker}')
     worker.on('message', (answer) => console.log(answer))
     setTimeout(() => worker.send(6), 200)`,
  )
  expect(await runQuietly([`${parent}`], process.env)).toBe('42\n')
})

test('a start that is stopped while it builds ends the build before it ends itself', async () => {
  const { script, begun } = aLongWork('stopped')
  const building = expect(runQuietly([script], process.env)).rejects.toThrow('SIGTERM')
  const pid = await begun()
  await endQuietly()
  expect(inspectProcess(pid)).toBeNull()
  await building
})

test('a start that is killed while it builds leaves no build behind', async () => {
  const { script, begun } = aLongWork('killed')
  const start = `import { runQuietly } from '#scripts/up/quiet'\nawait runQuietly(['${script}'], process.env)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', start], { cwd: ROOT, stdio: 'ignore' })
  const pid = await begun()
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await waitForExit(pid, 30_000)).toBe(true)
})
