import { expect, test } from 'vitest'
import { buildUrl } from '#lib/client/request'
import { fieldRows } from '#lib/contracts/reference'
import { operations } from '#lib/operations/all'
import { sources } from '#tests/support/code/source-files'
import { doorsFor, ROUTES, webhooksFor } from '#tests/support/hostile/doors'
import { placesIn } from '#tests/support/hostile/places'
import { namesIn } from '#tests/support/walk/one-of-each'

const contracts = operations.map(({ contract }) => contract)
const KNOWN = { params: {}, ids: {} }
const WORD = 'hostileword'

test.each(contracts)('npm run hostile knocks at $id, and what it sends is in the request', (contract) => {
  const places = placesIn(contract)
  expect(places.length).toBeGreaterThan(0)
  for (const { name, fill } of places) {
    const given = fill(WORD, KNOWN)
    const sent =
      'raw' in given ? given.raw : `${buildUrl(contract, '', given)} ${JSON.stringify(given.body, nameFile)}`
    expect([name, sent]).toEqual([name, expect.stringContaining(WORD)])
  }
})

test.each(contracts)('every parameter and every free text of $id has a place', (contract) => {
  const names = placesIn(contract).map(({ name }) => name)
  for (const param of namesIn(contract)) expect(names).toContain(`path, ${param}`)
  for (const { name } of contract.query ? fieldRows(contract.query, 'input') : [])
    expect(names).toContain(`query, ${name}`)
  const texts = (contract.body ? fieldRows(contract.body, 'input') : []).filter(
    // Enums and ids are no free text.
    ({ type, limits }) =>
      /\bstring\b/.test(type) &&
      !/uuid|date-time/.test(type) &&
      !limits.some((limit) => limit.startsWith('one of')),
  )
  for (const { path } of texts) expect(names).toContain(`body, ${path}`)
})

test('a text goes in as far as the contract takes it', () => {
  const contract = contracts.find(({ id }) => id === 'createInboxNote')
  const place = contract && placesIn(contract).find(({ name }) => name === 'body, text')
  const given = place?.fill('a'.repeat(200_000), KNOWN)
  const body = given && 'body' in given ? given.body : undefined
  expect(contract?.body?.safeParse(body).success).toBe(true)
  expect(JSON.stringify(body).length).toBeGreaterThan(1_000)
})

test('routes beside the API are knocked at by hand, or it is said why not', () => {
  process.env.UNIPILE_WEBHOOK_SECRET = 'u'
  process.env.STRIPE_WEBHOOK_SECRET = 's'
  const stranger = { url: '', token: '', email: '', ids: {} }
  const doors = Object.keys({ ...doorsFor(stranger), ...webhooksFor('', '') })
  const routes = sources()
    .map(({ file }) => file)
    .filter((file) => /^app\/.*\/route\.ts$/.test(file) && !file.startsWith('app/api/v1/'))
    .map((file) => file.replace(/\/route\.ts$/, ''))
  for (const route of routes) {
    const door =
      ROUTES[route] ?? (route.startsWith('app/(dashboard)/') ? ROUTES['app/(dashboard)'] : '') ?? ''
    expect([route, door.startsWith('none: ') || doors.includes(door)]).toEqual([route, true])
  }
})

function nameFile(_: string, value: unknown) {
  return value instanceof File ? value.name : value
}
