import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort, portIsFree } from '#lib/db/free-port'

test('a free port is none that the system gives out by itself, is free, and is given out once', async () => {
  const ports = [await freePort(), await freePort(), await freePort()]
  expect(new Set(ports).size).toBe(3)
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(20_000)
    expect(port).toBeLessThan(32_000)
    expect(await portIsFree(port)).toBe(true)
  }
})

test('a port on which somebody listens is passed over', async () => {
  const before = await freePort()
  const server = createServer()
  // Another process that already listens there serves the test as well.
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve())
    server.listen(before + 1, '127.0.0.1', resolve)
  })
  expect(await portIsFree(before + 1)).toBe(false)
  expect(await freePort()).not.toBe(before + 1)
  await new Promise((resolve) => server.close(resolve))
})
