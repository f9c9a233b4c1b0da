import * as fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { makeNewKey, readSecrets } from '#scripts/up/secrets'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'

const FIRST = Buffer.alloc(32, 1).toString('base64')
const folders: string[] = []
afterAll(() => folders.forEach(removeThrowaway))

function aFolder(): string {
  const folder = throwawayFolder()
  folders.push(folder)
  return folder
}

test('a lost secrets.json is never made anew by a start, only where a new key is asked for', () => {
  const folder = aFolder()
  readSecrets(folder, {})
  fs.writeFileSync(path.join(folder, 'postgres.json'), '{}')
  fs.rmSync(path.join(folder, 'secrets.json'))
  expect(() => readSecrets(folder, {})).toThrow(/secrets\.json is missing.+rotate-key -- --new/)
  expect(fs.existsSync(path.join(folder, 'secrets.json'))).toBe(false)
  expect(readSecrets(folder, { ENCRYPTION_KEY: FIRST }).ENCRYPTION_KEY).toBe(FIRST)
  fs.rmSync(path.join(folder, 'secrets.json'))
  expect(makeNewKey(folder)).toEqual({ hasOld: false })
  expect(readSecrets(folder, {}).ENCRYPTION_KEYS_OLD).toBe('')
})

test('a key that is none is refused before anything starts; one that is wrapped is not looked into', () => {
  const folder = aFolder()
  const wrong = { ENCRYPTION_KEY: 'vault:v1:abc' }
  expect(() => readSecrets(folder, wrong)).toThrow('ENCRYPTION_KEY must be 32 bytes in base64')
  expect(readSecrets(folder, { ...wrong, ENCRYPTION_KMS: 'vault' }).ENCRYPTION_KEY).toBe('vault:v1:abc')
  const old = { ENCRYPTION_KEYS_OLD: `${FIRST}, abc` }
  expect(() => readSecrets(folder, old)).toThrow('ENCRYPTION_KEYS_OLD must be 32 bytes in base64')
})

test('secrets that others could read are closed to them, and that is said', () => {
  const folder = aFolder()
  const first = readSecrets(folder, {})
  const file = path.join(folder, 'secrets.json')
  fs.chmodSync(file, 0o644)
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  expect(readSecrets(folder, {})).toEqual(first)
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  expect(readSecrets(folder, {})).toEqual(first)
  expect(said.mock.calls).toEqual([[expect.stringContaining(`could read ${file} (mode 644)`)]])
  said.mockRestore()
})
