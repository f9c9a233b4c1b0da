import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '#tests/support/code/source-files'

type Entry = {
  link?: boolean
  resolved?: string
  integrity?: string
  optional?: boolean
  os?: string[]
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/**
 * Binaries for other systems than the one that made the lock file: npm lists them without a hash. An entry leaves the list once it
 * has one; no new entries are added.
 */
const WITHOUT: Record<string, string[]> = {
  '@biomejs/cli-': [
    'android-arm64',
    'android-x64',
    'darwin-arm64',
    'darwin-x64',
    'linux-arm64-musl',
    'linux-x64-musl',
    'win32-arm64',
    'win32-x64',
  ],
  '@next/swc-': ['darwin-arm64', 'darwin-x64', 'win32-arm64-msvc', 'win32-x64-msvc'],
  '@oxc-parser/binding-': [
    'android-arm-eabi',
    'android-arm64',
    'darwin-arm64',
    'darwin-x64',
    'freebsd-x64',
    'linux-arm-gnueabihf',
    'linux-arm-musleabihf',
    'linux-ppc64-gnu',
    'linux-riscv64-gnu',
    'linux-riscv64-musl',
    'linux-s390x-gnu',
    'openharmony-arm64',
    'win32-arm64-msvc',
    'win32-ia32-msvc',
    'win32-x64-msvc',
  ],
  '@tailwindcss/oxide-': [
    'android-arm64',
    'darwin-arm64',
    'darwin-x64',
    'freebsd-x64',
    'linux-arm-gnueabihf',
    'wasm32-wasi',
    'win32-arm64-msvc',
    'win32-x64-msvc',
  ],
}

const listed = Object.entries(WITHOUT).flatMap(([family, systems]) =>
  systems.map((system) => `node_modules/${family}${system}`),
)
const { packages }: { packages: Record<string, Entry> } = JSON.parse(
  readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'),
)
const fetched = Object.entries(packages).filter(([where, { link }]) => where !== '' && !link)

test('every package of the lock is held to its hash, but the listed ones', () => {
  const unheld = fetched.filter(([, { integrity }]) => !integrity).map(([where]) => where)
  expect(unheld.toSorted()).toEqual(listed.toSorted())
})

test('a package without a hash is one that an install may go without', () => {
  const needed = listed.filter((where) => !packages[where]?.optional)
  expect(needed).toEqual([])
})

test('every hash is of SHA-512', () => {
  const weak = fetched.filter(([, { integrity = 'sha512-' }]) => !integrity.startsWith('sha512-'))
  expect(weak.map(([where]) => where)).toEqual([])
})

test('no entry of the lock names another place than the public registry', () => {
  const elsewhere = fetched.filter(
    ([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'),
  )
  expect(elsewhere.map(([where]) => where)).toEqual([])
})

test('no entry of the lock names what its package would merely work with, which npm would install with an instance', () => {
  const inviting = fetched.filter(([, { peerDependenciesMeta = {} }]) =>
    Object.values(peerDependenciesMeta).some(({ optional }) => optional),
  )
  expect(inviting.map(([where]) => where)).toEqual([])
})

test('overrides stand at the top: npm 10 loses some of the nested ones, and then refuses the whole lock', () => {
  const { overrides } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  expect(Object.values(overrides).filter((version) => typeof version !== 'string')).toEqual([])
})
