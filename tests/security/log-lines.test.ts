import { beforeEach, expect, test } from 'vitest'
import { contracts } from '#lib/contracts/all'
import { AppError } from '#lib/errors'
import { log } from '#lib/http/log'
import { door } from '#lib/http/route'
import { keepWrittenLines } from '#tests/support/written-lines'

// Set before any module reads the environment.
process.env.LOG_LEVEL = 'info'

const said = keepWrittenLines()
beforeEach(() => void said.splice(0))

type Line = {
  level: number
  time: number
  msg: string
  request_id?: string
  path?: string
  status?: number
  err?: { stack: string }
}
const linesOf = (): Line[] =>
  said
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** What the API's error handling does with a handler that fails with this error. */
async function answered(error: Error, headers: Record<string, string> = {}) {
  const request = new Request('http://opener.test/api/v1/%0A%7B%22level%22:60%7D', { headers })
  const handler = door(
    () => Promise.reject(error),
    () => ({ errors: 'flat' }),
  )
  return handler(request, undefined)
}

test('whatever words are in it, a line of the log is one line of JSON with its instant', () => {
  const before = Date.now()
  log().warn({ place: 'a\nb\r\n{"level":60}\u2028\0' }, 'said\n{"level":60}')
  const [line, ...more] = linesOf()
  expect(more).toEqual([])
  expect(line).toMatchObject({ level: 40, msg: 'said\n{"level":60}', place: 'a\nb\r\n{"level":60}\u2028\0' })
  // Milliseconds since 1970 are independent of the time zone.
  expect(line?.time).toBeGreaterThanOrEqual(before)
  expect(line?.time).toBeLessThanOrEqual(Date.now())
})

test('a refusal is a line with its request, its path and its status', async () => {
  const answer = await answered(new AppError('forbidden'), { 'x-request-id': 'a-request-of-mine' })
  expect(answer.headers.get('x-request-id')).toBe('a-request-of-mine')
  expect(linesOf()).toEqual([
    expect.objectContaining({ level: 30, request_id: 'a-request-of-mine', status: 403, msg: 'request' }),
  ])
})

test('a fault is an error with its stack, and its answer has only the request to ask for', async () => {
  const answer = await answered(new Error('a fault'))
  const [fault] = linesOf()
  expect(fault).toMatchObject({
    level: 50,
    msg: 'request failed',
    request_id: answer.headers.get('x-request-id'),
  })
  expect(fault?.err?.stack).toContain('a fault')
  expect(await answer.text()).not.toContain('a fault')
})

test('the audit log is read, and nothing of the API writes to it', () => {
  const about = contracts.filter(({ path }) => path.includes('/audit'))
  expect(about.length).toBeGreaterThan(0)
  expect(about.filter(({ method }) => method !== 'GET')).toEqual([])
})
