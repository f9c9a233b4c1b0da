import { expect, test, vi } from 'vitest'

/** Loads a module and its imports a second time, as the web process does for pages beside the API. */
async function another<T>(load: () => Promise<T>): Promise<T> {
  vi.resetModules()
  return load()
}

test('every copy of a module has the same object of a name, made by the first', async () => {
  const { processState } = await another(() => import('#lib/process-state'))
  const mine = processState('test', () => ({ from: 'the first' }))
  const copy = await another(() => import('#lib/process-state'))
  expect(copy.processState).not.toBe(processState)
  expect(copy.processState('test', () => ({ from: 'the second' }))).toBe(mine)
  expect(copy.processState('another test', () => ({ from: 'the second' }))).not.toBe(mine)
})

test('a pool, the readers, the mail driver and the counts are one for all copies', async () => {
  const things = async () => {
    const { pool } = await import('#lib/db/client')
    const { readers } = await import('#lib/services/reading/readers')
    const { mailProvider } = await import('#lib/services/senders/mail-provider')
    return [pool(), readers(), mailProvider()]
  }
  const [mine, theirs] = [await another(things), await another(things)]
  for (const [index, thing] of mine.entries()) expect(theirs[index]).toBe(thing)

  const { countSend } = await another(() => import('#lib/metrics'))
  countSend('email', 'sent')
  const { metricsText } = await another(() => import('#lib/metrics'))
  expect((await metricsText([])).text).toMatch(/opener_sends_total\{.*\} 1/)
})

test('who stops is stopping for all copies', async () => {
  const { beginStopping } = await another(() => import('#lib/services/instance/stopping'))
  const { isStopping } = await another(() => import('#lib/services/instance/stopping'))
  expect(isStopping()).toBe(false)
  beginStopping()
  expect(isStopping()).toBe(true)
})

test('places are counted over all copies, and each refuses with an error of its own', async () => {
  const load = async () => ({
    ...(await import('#lib/services/instance/seats')),
    ...(await import('#lib/errors')),
  })
  const { seatOrRefusal, AI_SEATS } = await another(load)
  const back = await Promise.all(Array.from({ length: 4 }, () => seatOrRefusal(AI_SEATS, 'someone')))
  const copy = await another(load)
  await expect(copy.seatOrRefusal(AI_SEATS, 'someone')).rejects.toThrow(copy.AppError)
  for (const give of back) await give()
  await (await copy.seatOrRefusal(AI_SEATS, 'someone'))()
})
