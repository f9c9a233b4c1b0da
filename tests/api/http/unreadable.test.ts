import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refuseUnreadable } from '#lib/http/unreadable'

const handed: string[] = []
const server = createServer((request, response) => {
  handed.push(`${request.method} ${request.url}`)
  response.end('handed on')
})
let undo = () => {}
beforeAll(async () => {
  undo = refuseUnreadable()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  undo()
  server.closeAllConnections()
  server.close()
})

/** Sends the line as it is, without a client that would correct it. */
const raw = (line: string) =>
  new Promise<string>((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${line} HTTP/1.1\r\nHost: opener.test\r\nConnection: close\r\n\r\n`),
    )
    let said = ''
    socket.on('data', (data) => {
      said += data
    })
    socket.once('close', () => resolve(said))
    socket.once('error', reject)
  })

test.each(['GET /api/v1/templates/%zz', 'GET /api/v1/templates/%ff', 'POST /%', 'DELETE /a/%e2%82/b?x=1'])(
  '%s is 404 and handed to nobody',
  async (line) => {
    handed.length = 0
    const said = await raw(line)
    expect(said).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
    expect(said).toMatch(/x-request-id: [\w-]{8,64}\r\n/)
    expect(said).toMatch(/\{"detail":"Not Found"\}/)
    expect(handed).toEqual([])
  },
)

test('a method that no Request can have is 405 and says what there is', async () => {
  handed.length = 0
  const said = await raw('TRACE /api/v1/templates/')
  expect(said).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/)
  expect(said).toMatch(/allow: DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT\r\n/)
  expect(said).toMatch(/\{"detail":"Method Not Allowed"\}/)
  expect(handed).toEqual([])
})

test.each(['GET /a%20b/%C3%A4?x=%zz', 'PATCH /api/v1/x', 'OPTIONS /', 'HEAD /%25'])(
  '%s is handed on as it is',
  async (line) => {
    handed.length = 0
    expect(await raw(line)).toMatch(/^HTTP\/1\.1 200/)
    expect(handed).toEqual([line])
  },
)
