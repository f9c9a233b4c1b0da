import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { fileName, isWebPage, toFileUrl } from '#lib/domain/datasets/file-link'
import { type Download, download } from '#lib/providers/outbound-download'
import { certificateFor } from '#tests/support/servers/certificate'

const HOST = 'files.example.com'
const certificate = certificateFor(HOST)
let answer: RequestListener = (_, response) => void response.end()
const asked: string[] = []
const server = createServer(certificate, (request, response) => {
  asked.push(request.url ?? '')
  answer(request, response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const { port } = server.address() as AddressInfo
const at = (path: string) => `https://${HOST}:${port}${path}`
/** The policy of the open internet, except that one host resolves to this machine. */
const strict = {
  policy: { allow_private_hosts: false, allowed_endpoints: [{ host: HOST, port }] },
  lookup: async (host: string) => [host.endsWith('.internal.example.com') ? '10.0.0.7' : '127.0.0.1'],
  ca: certificate.cert,
}
const get = (url: string, over: Partial<Download> = {}) =>
  download({ url, max_bytes: 1_000, timeout_ms: 5_000, ...over }, strict)
const redirects = (location: string) => {
  answer = (request, response) => {
    if (request.url === '/end') response.end('email\nada@example.com\n')
    else response.writeHead(302, { location }).end()
  }
}
beforeEach(() => {
  asked.length = 0
})

test('a file is read over https, with what the server calls it, also behind redirects', async () => {
  answer = (request, response) => {
    if (request.url === '/list') response.writeHead(307, { location: '/end' }).end()
    else
      response.writeHead(200, { 'content-disposition': 'attachment; filename="people.csv"' }).end('email\n')
  }
  expect(await get(at('/list'))).toMatchObject({
    ok: true,
    bytes: Buffer.from('email\n'),
    url: at('/end'),
    disposition: 'attachment; filename="people.csv"',
  })
})

describe('nothing is asked', () => {
  test.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.1.2.3/',
    'https://[::ffff:127.0.0.1]/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://localhost/',
    'https://rebound.internal.example.com/',
    `https://ada:secret@${HOST}/`,
    `http://${HOST}/`,
    'ftp://files.example.com/list.csv',
    'file:///etc/passwd',
    'data:text/csv,email',
  ])('at %s', async (url) => {
    expect(await get(url)).toMatchObject({ ok: false, reason: 'refused' })
    redirects(url)
    expect(await get(at('/list'))).toMatchObject({ ok: false, reason: 'refused' })
    expect(asked).toEqual(['/list'])
  })
})

describe('nothing is taken in', () => {
  test.each<[string, RequestListener, Partial<Download>, string, RegExp]>([
    [
      'that leads on for ever',
      (_, r) => void r.writeHead(302, { location: '/on' }).end(),
      {},
      'status',
      /redirects/,
    ],
    [
      'that is announced as too large',
      (_, r) => void r.writeHead(200, { 'content-length': '1001' }).write('x'),
      {},
      'too_large',
      /larger/,
    ],
    [
      'that is too large without saying so',
      (_, r) => void r.end('x'.repeat(1_001)),
      {},
      'too_large',
      /larger/,
    ],
    ['that is not there', (_, r) => void r.writeHead(404).end(), {}, 'status', /404/],
    ['that never ends', (_, r) => void r.write('x'), { timeout_ms: 100 }, 'timeout', /longer/],
    ['that never begins', () => undefined, { timeout_ms: 100 }, 'timeout', /longer/],
    [
      'that breaks off',
      (_, r) => void r.writeHead(200, { 'content-length': '9' }).write('x', () => r.destroy()),
      {},
      'unreachable',
      /./,
    ],
  ])('%s', async (_, listener, over, reason, error) => {
    answer = listener
    expect(await get(at('/list'), over)).toMatchObject({
      ok: false,
      reason,
      error: expect.stringMatching(error),
    })
  })

  test('from a host whose certificate is another’s', async () => {
    const options = { ...strict, policy: { allow_private_hosts: true } }
    const answered = await download(
      { url: `https://other.example.com:${port}/`, max_bytes: 10, timeout_ms: 5_000 },
      options,
    )
    expect(answered).toMatchObject({ ok: false, reason: 'unreachable' })
    expect(asked).toEqual([])
  })
})

test.each([
  [
    'https://docs.google.com/spreadsheets/d/1aB-_9/edit?usp=sharing',
    'https://docs.google.com/spreadsheets/d/1aB-_9/export?format=xlsx',
  ],
  [
    'https://docs.google.com/spreadsheets/d/1aB-_9/edit#gid=42',
    'https://docs.google.com/spreadsheets/d/1aB-_9/export?format=csv&gid=42',
  ],
  [
    'https://docs.google.com/spreadsheets/u/1/d/1aB-_9/edit?gid=7#gid=7',
    'https://docs.google.com/spreadsheets/d/1aB-_9/export?format=csv&gid=7',
  ],
  [
    'https://docs.google.com/spreadsheets/d/1aB-_9/export?format=csv',
    'https://docs.google.com/spreadsheets/d/1aB-_9/export?format=csv',
  ],
  [
    'https://docs.google.com.evil.example/spreadsheets/d/1aB/edit',
    'https://docs.google.com.evil.example/spreadsheets/d/1aB/edit',
  ],
  ['https://www.dropbox.com/s/x/list.csv?dl=0', 'https://www.dropbox.com/s/x/list.csv?dl=1'],
  ['https://example.com/list.csv#part', 'https://example.com/list.csv'],
])('the file of %s is at %s', (link, url) => {
  expect(toFileUrl(link)).toBe(url)
})

test.each([
  ['https://example.com/a/list%20one.csv?key=1', null, 'list one.csv'],
  ['https://example.com/', null, 'example.com'],
  ['https://example.com/x', 'attachment; filename="people.xlsx"', 'people.xlsx'],
  ['https://example.com/x', "attachment; filename=plain.csv; filename*=UTF-8''l%C3%A9ads.csv", 'léads.csv'],
  ['https://example.com/x', 'attachment; filename="../../etc/passwd"', 'passwd'],
  ['https://example.com/%E0%A4%A', null, '%E0%A4%A'],
])('the file at %s that is said to be %s is called %s', (url, disposition, name) => {
  expect(fileName(url, disposition)).toBe(name)
})

test.each([
  ['<!DOCTYPE html><html>', true],
  ['\uFEFF \n<html lang="en">', true],
  ['email,name\n<html>,Ada', false],
  ['<ada@example.com>', false],
])('%j is a page: %s', (text, isPage) => {
  expect(isWebPage(new TextEncoder().encode(text))).toBe(isPage)
})
