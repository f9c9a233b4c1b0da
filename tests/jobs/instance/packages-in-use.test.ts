import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '#tests/support/code/source-files'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'

const folder = fs.realpathSync(throwawayFolder())
afterAll(() => removeThrowaway(folder))
const inFolder = (name: string) => path.join(folder, name)
const write = (name: string, text: string) => {
  fs.mkdirSync(path.dirname(inFolder(name)), { recursive: true })
  fs.writeFileSync(inFolder(name), text)
}
const node = inFolder('node_modules/node/bin/node')

/** A checkout whose node_modules belong to another lock file, and an npm that records its calls. */
function aCheckout() {
  for (const name of ['bootstrap', 'lasting', 'progress', 'running'])
    write(`scripts/${name}.mjs`, fs.readFileSync(path.join(ROOT, `scripts/${name}.mjs`), 'utf8'))
  write('scripts/work.mjs', 'console.log("works")')
  write('idle.mjs', 'setInterval(() => {}, 1000); console.log("idles")')
  const lock = (version: string) => JSON.stringify({ packages: { 'node_modules/a': { version } } })
  write('package-lock.json', lock('2.0.0'))
  write('node_modules/.package-lock.json', lock('1.0.0'))
  fs.mkdirSync(path.dirname(node), { recursive: true })
  fs.symlinkSync(process.execPath, node)
  write('npm.js', `require('fs').writeFileSync(${JSON.stringify(inFolder('installed'))}, '')`)
}

async function bootstrap() {
  const child = spawn(process.execPath, [inFolder('scripts/bootstrap.mjs'), 'scripts/work.mjs'], {
    env: { ...process.env, npm_execpath: inFolder('npm.js'), npm_lifecycle_event: '' },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      said += data
    })
  const [code] = await once(child, 'close')
  return { code, said, installed: fs.existsSync(inFolder('installed')) }
}

test('packages are not exchanged under what runs with them; once it is stopped they are', async () => {
  aCheckout()
  const idler = spawn(node, ['--no-warnings', inFolder('idle.mjs')], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(idler.stdout, 'data')
  const refused = await bootstrap()
  expect(refused).toMatchObject({ code: 1, installed: false })
  expect(refused.said).toContain(`idle.mjs (pid ${idler.pid}) runs with those: stop it first`)
  idler.kill('SIGKILL')
  await once(idler, 'exit')
  expect(await bootstrap()).toMatchObject({
    code: 0,
    installed: true,
    said: expect.stringContaining('works'),
  })
})
