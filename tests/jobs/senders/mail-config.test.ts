import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createMailConfig } from '#lib/providers/mail-config/http'
import { certificateFor } from '#tests/support/servers/certificate'

const { key, cert } = certificateFor('company.test')
type Asked = { host: string; method: string; url: string; body: string }
const asked: Asked[] = []
let answer: (asked: Asked, response: ServerResponse) => void = () => undefined

const read = async (request: IncomingMessage) => {
  let body = ''
  for await (const part of request) body += String(part)
  return body
}
const server = createServer({ key, cert }, async (request, response) => {
  const { host = '' } = request.headers
  const one = {
    host: host.split(':')[0] ?? '',
    method: request.method ?? '',
    url: request.url ?? '',
    body: await read(request),
  }
  asked.push(one)
  answer(one, response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const port = (server.address() as { port: number }).port
afterAll(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  asked.length = 0
})

const DOCUMENT = '<clientConfig version="1.1"></clientConfig>'
const options = {
  ca: cert,
  max_bytes: 4_096,
  timeout_ms: 5_000,
  // The certificate is for the domain only: hosts below it are unreachable, as if they did not exist.
  origin: (host: string) => `https://${host}:${port}`,
  lookup: async (host: string) => (host === 'company.test' ? ['127.0.0.1'] : []),
}
const config = (allow_private_hosts = true) =>
  createMailConfig({ ...options, policy: { allow_private_hosts } })

describe('what a domain publishes', () => {
  test('is read from its well-known place, with the address that it is for', async () => {
    answer = (_, response) => response.end(DOCUMENT)
    expect(await config().autoconfig('ana+b@company.test')).toBe(DOCUMENT)
    expect(asked).toEqual([
      {
        host: 'company.test',
        method: 'GET',
        url: '/.well-known/autoconfig/mail/config-v1.1.xml?emailaddress=ana%2Bb%40company.test',
        body: '',
      },
    ])
  })

  test('by Autodiscover is asked for in XML, whatever the address holds', async () => {
    answer = (_, response) => response.end('<?xml version="1.0"?><Autodiscover ></Autodiscover>')
    expect(await config().autodiscover('a<&b@company.test')).toContain('<Autodiscover ')
    expect(asked).toMatchObject([{ method: 'POST', url: '/autodiscover/autodiscover.xml' }])
    expect(asked[0]?.body).toContain('<EMailAddress>a&lt;&amp;b@company.test</EMailAddress>')
  })

  test.each<[string, (response: ServerResponse) => void]>([
    ['a page', (response) => response.end('<!doctype html><title>Not found</title>')],
    ['a refusal', (response) => response.writeHead(401).end(DOCUMENT)],
    ['more than a document has', (response) => response.end(DOCUMENT + ' '.repeat(100_000))],
    ['a way elsewhere', (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
    ['nothing', (response) => response.destroy()],
  ])('is nothing where its host answers %s', async (_, play) => {
    answer = (_asked, response) => play(response)
    expect(await config().autoconfig('ana@company.test')).toBeNull()
  })

  test('is not asked of private hosts', async () => {
    answer = (_, response) => response.end(DOCUMENT)
    expect(await config(false).autoconfig('ana@company.test')).toBeNull()
    expect(await config(false).autodiscover('ana@company.test')).toBeNull()
    expect(asked).toEqual([])
  })
})
