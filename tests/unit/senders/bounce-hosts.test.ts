import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createBounceServer } from '#lib/providers/mail/bounce-smtp'
import { deliverRaw } from '#lib/providers/mail/deliver'

const RAW = 'Subject: Undelivered\r\n\r\nGone.\r\n'

const over: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const end of over.splice(0).toReversed()) await end()
})

async function aServer(now = Date.now) {
  const taken: string[] = []
  const server = createBounceServer<string>({
    target: async (address) => address,
    take: async (targets) => void taken.push(...targets),
    now,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  over.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { taken, port: (server.server.address() as AddressInfo).port }
}

async function greetingAt(port: number): Promise<{ socket: Socket; greeting: string }> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  over.push(() => void socket.destroy())
  const [greeting] = await once(socket, 'data')
  return { socket, greeting: String(greeting) }
}

test('one host has twenty connections at a time, and another once one of them ends', async () => {
  const { port } = await aServer()
  const open = []
  for (let count = 0; count < 20; count += 1) open.push(await greetingAt(port))
  expect(open.every(({ greeting }) => greeting.startsWith('220'))).toBe(true)
  expect((await greetingAt(port)).greeting).toMatch(/^421 4\.7\.0 Too many connections/)
  open[0]?.socket.end('QUIT\r\n')
  await expect.poll(async () => (await greetingAt(port)).greeting.slice(0, 3)).toBe('220')
})

test('one host brings 600 mails in a minute, and more in the next', async () => {
  let at = 60_000
  const { port, taken } = await aServer(() => at)
  const bring = () => deliverRaw(port, { from: '', to: 'a@bounce.test' }, RAW)
  for (let count = 0; count < 600; count += 10) await Promise.all(Array.from({ length: 10 }, bring))
  expect(await bring()).toMatchObject({ outcome: 'refused_for_now' })
  expect(taken).toHaveLength(600)
  at += 60_000
  expect(await bring()).toMatchObject({ outcome: 'accepted' })
})
